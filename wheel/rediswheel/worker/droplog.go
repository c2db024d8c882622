package worker

import (
	"context"
	"sync/atomic"

	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"golang.org/x/time/rate"
)

// DeadMaxDefault is the default of Options.DeadMax.
const DeadMaxDefault = 1_000_000

// deadMax returns the maximum number of dead tasks of a shard: Options.DeadMax divided by the
// number of shards, rounded up. 0 means no limit.
func (w *Worker) deadMax(shards int) int64 {
	if w.o.DeadMax < 0 {
		return 0
	}
	return (w.o.DeadMax-1)/int64(shards) + 1
}

// markDead marks tasks of shard s as dead and reports, for each, whether it was marked. It logs how many older dead
// tasks Redis deleted because there were more than Options.DeadMax.
func (w *Worker) markDead(ctx context.Context, s engine.Shard, tasks []engine.Failed) ([]bool, error) {
	d, err := s.MarkDead(ctx, w.deadMax(len(w.wheel.Latest().Shards())), tasks)
	w.noteDropped(d.Dropped)
	return d.Marked, err
}

// drops counts the dead tasks that were deleted since the worker started.
type drops struct {
	all, logged atomic.Int64   // logged is the value of all in the last log line
	log         rate.Sometimes // limits the log lines
}

// noteDropped counts n deleted dead tasks and logs the total, at once or, if that was logged less than Options.LogEvery
// ago, with a later deletion or at the end of the worker.
func (w *Worker) noteDropped(n int64) {
	if n > 0 {
		w.dropped.all.Add(n)
		w.dropped.log.Do(w.logDropped)
	}
}

func (w *Worker) logDropped() {
	if all := w.dropped.all.Load(); all > w.dropped.logged.Swap(all) {
		w.o.Log.Error("dead tasks deleted: there were more than --dead-max", "since_start", all, "dead_max", w.o.DeadMax)
	}
}
