package redis

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Bounds of the dead tasks of a wheel.
const (
	DeadMaxDefault = 1_000_000 // kept; past that the oldest are deleted, which is logged and counted
	DeadMaxMax     = 1 << 40   // that may be asked for
)

// DeadResult is the outcome of marking tasks as dead.
type DeadResult struct {
	Marked  []bool // for each task, whether its claim still held
	Dropped int64  // older dead tasks that were deleted because there were more than the limit
	Kept    int64  // dead tasks of the shard that are left
}

// MarkDead marks claimed tasks as dead. If the shard has more than limit dead tasks then, the oldest
// are deleted; 0 is no limit.
func (s Shard) MarkDead(ctx context.Context, limit int64, tasks []Failed) (DeadResult, error) {
	args := []any{limit}
	for _, f := range tasks {
		args = append(args, f.Key, f.Token, f.Reason)
	}
	reply, err := s.run(ctx, buryScript, args...)
	if err != nil {
		return DeadResult{}, err
	}
	n := len(tasks)
	if len(reply) != n+2 {
		return DeadResult{}, fmt.Errorf("%w: %d values for %d tasks", errReply, len(reply), n)
	}
	r := &reader{list: reply[n:]}
	d := DeadResult{Dropped: r.int(), Kept: r.int()}
	d.Marked, err = flags(reply[:n], r.err, n)
	return d, err
}

// Bury is MarkDead for callers that need only to know whether the claims held.
func (s Shard) Bury(ctx context.Context, limit int, tasks []Failed) ([]bool, error) {
	d, err := s.MarkDead(ctx, int64(limit), tasks)
	return d.Marked, err
}

// deadMax is the limit of one of so many shards: an equal part of the wheel's, rounded up; 0 is no limit.
func (w *Worker) deadMax(shards int) int64 {
	n := int64(shards)
	return (max(w.o.DeadMax, 0) + n - 1) / n
}

// markDead marks tasks as dead and logs what was deleted for it.
func (w *Worker) markDead(ctx context.Context, s Shard, tasks []Failed) ([]bool, error) {
	d, err := s.MarkDead(ctx, w.deadMax(len(w.wheel.latest().shards)), tasks)
	w.dropped.add(d.Dropped)
	return d.Marked, err
}

// dropLog logs deleted dead tasks: the first at once, further ones together, one line per interval.
type dropLog struct {
	log   *slog.Logger
	max   int64         // of the wheel
	every time.Duration // between two lines

	mu      sync.Mutex
	n, all  int64       // not logged yet; since the worker started
	pending *time.Timer // runs until the next line may be written; nil if one may be now
}

func (l *dropLog) add(n int64) {
	if n == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n, l.all = l.n+n, l.all+n
	if l.pending == nil {
		l.write()
		l.pending = time.AfterFunc(l.every, l.next)
	}
}

// next writes what came in the interval. If nothing came, the next task is logged at once again.
func (l *dropLog) next() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.n == 0 {
		l.pending = nil
		return
	}
	l.write()
	l.pending.Reset(l.every)
}

// flush writes what was not logged yet, when the worker ends.
func (l *dropLog) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending != nil {
		l.pending.Stop()
	}
	if l.n > 0 {
		l.write()
	}
}

func (l *dropLog) write() {
	l.log.Error("dead tasks deleted: there were more than --dead-max", "deleted", l.n, "since_start", l.all, "dead_max", l.max)
	l.n = 0
}
