package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// Default and maximum value of Options.DeadMax.
const (
	DeadMaxDefault = 1_000_000 // default of Options.DeadMax
	DeadMaxMax     = 1 << 40   // maximum of Options.DeadMax
)

// deadMax returns the maximum number of dead tasks of a shard: Options.DeadMax divided by the
// number of shards, rounded up. 0 means no limit.
func (w *Worker) deadMax(shards int) int64 {
	n := int64(shards)
	return (max(w.o.DeadMax, 0) + n - 1) / n
}

// markDead marks tasks of shard s as dead and reports, for each, whether it was marked. It logs how many older dead
// tasks Redis deleted because there were more than Options.DeadMax.
func (w *Worker) markDead(ctx context.Context, s rediswheel.Shard, tasks []rediswheel.Failed) ([]bool, error) {
	d, err := s.MarkDead(ctx, w.deadMax(len(w.wheel.Latest().Prefixes())), tasks)
	w.dropped.add(d.Dropped)
	return d.Marked, err
}

// dropLog logs deletions of dead tasks: the first one immediately, and further ones in one line per interval.
type dropLog struct {
	log   *slog.Logger
	max   int64         // value of Options.DeadMax, for the log lines
	every time.Duration // minimum time between two log lines

	mu      sync.Mutex
	n, all  int64       // n counts the deleted tasks not logged yet; all counts those deleted since the worker started
	pending *time.Timer // timer that calls next after an interval; nil if the next deletion is logged immediately
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

// next logs the tasks that were deleted in the interval that has just ended. If there were none, the next deletion is
// logged immediately.
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

// flush logs the deleted tasks that have not been logged. It is called when the worker ends.
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
