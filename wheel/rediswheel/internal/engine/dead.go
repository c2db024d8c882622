package engine

import (
	"context"
	"fmt"
)

// DeadResult is the outcome of marking tasks as dead.
type DeadResult struct {
	Marked  []bool // for each task, whether it was marked; false if its claim was no longer current, for example because the task was claimed again or removed
	Dropped int64  // number of the shard's oldest dead tasks that were deleted because of MarkDead's limit
	Kept    int64  // number of dead tasks that remain in the shard
}

// MarkDead marks claimed tasks as dead. If the shard then has more than limit dead tasks, the
// oldest are deleted; a limit of 0 means no limit.
func (s Shard) MarkDead(ctx context.Context, limit int64, tasks []Failed) (DeadResult, error) {
	args := []any{limit}
	for _, f := range tasks {
		args = append(args, f.Key, f.Token, f.Reason, f.nextText(), f.DeadKey, f.DeadRecord)
	}
	answer, err := s.run(ctx, markDeadScript, args...)
	if err != nil {
		return DeadResult{}, err
	}
	n := len(tasks)
	if len(answer) != n+2 {
		return DeadResult{}, fmt.Errorf("%w: %d values for %d tasks", ErrReply, len(answer), n)
	}
	r := &Reader{List: answer[n:]}
	d := DeadResult{Dropped: r.Int(), Kept: r.Int()}
	d.Marked, err = flags(answer[:n], r.Err, n)
	return d, err
}
