package lane

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// Limits of the lane. They do not depend on the defaults of package worker, so that the run of a scenario
// stays the same if those change.
const (
	attemptsMax = 12               // number of attempts after which a task is declared dead
	retryMax    = 10 * time.Minute // maximum wait before an attempt
	deadMax     = 10_000           // maximum number of dead tasks that the lane keeps
)

// waitFor returns the wait before the next attempt at a task, after the given number of failed attempts. id is the key
// of the timer of the task. waitFor calls [worker.Backoff] with random numbers that depend only on id and failed, so
// that the wait is the same in every run.
func waitFor(id uint32, failed int) time.Duration {
	draw := func(n time.Duration) time.Duration {
		return time.Duration(rand.New(rand.NewPCG(uint64(id), uint64(failed))).Int64N(int64(n)))
	}
	return worker.Backoff(worker.RetryDefault, retryMax, failed, draw).Truncate(time.Millisecond)
}

// placeID identifies a place by its level and slot.
type placeID struct {
	level int8
	slot  uint32
}

// claimed moves the tasks of claim c to slotFlight, the slot of tasks that the worker has taken, and records the end of
// their leases. It returns their indexes in l.tasks, in the order of c.Tasks, or nil if the claim contradicts the state
// of the lane, which then stops.
func (r *corrected) claimed(c engine.Claim) []uint32 {
	l := r.l
	batch := make([]uint32, len(c.Tasks))
	looked := map[placeID]bool{}
	for k := range c.Tasks {
		i := uint32(max(0, slices.IndexFunc(l.tasks, func(t task) bool { return t.used && t.key == c.Tasks[k].Key })))
		if i == 0 || l.tasks[i].slot == slotDead && l.tasks[i].level == levelSide {
			l.fail(errMismatch)
			return nil
		}
		batch[k] = i
		t := &l.tasks[i]
		l.cost.Touched++
		if from := (placeID{t.level, t.slot}); !looked[from] {
			looked[from] = true
			l.cost.Slots++
			l.hand(t.level, t.slot)
		}
		t.at, t.tries = c.Now*nsMilli+l.lease, c.Tasks[k].Attempts
		if t.level != levelSide || t.slot != slotFlight {
			l.move(i, levelSide, slotFlight)
		}
	}
	return batch
}

// callBack runs the callbacks of the tasks of claim c at now, a Unix time in nanoseconds, and appends the expired
// timers to fired. batch contains the indexes of these tasks in Lane.tasks. If the worker dies before it runs the
// callbacks, callBack only records the death, and the tasks stay claimed until their leases lapse.
func (r *corrected) callBack(now int64, c engine.Claim, batch []uint32, fired []wheel.Expiry) []wheel.Expiry {
	l := r.l
	switch {
	case l.err != nil:
	case !l.died && now >= l.dies:
		l.died = true
	case l.failing(now):
		r.failed(c, batch)
	default:
		fired = r.done(c, batch, fired)
	}
	return fired
}

// done acknowledges the tasks of claim c, whose callbacks have succeeded. It appends the tasks to fired and schedules
// their next runs. batch contains the indexes of the tasks in Lane.tasks.
func (r *corrected) done(c engine.Claim, batch []uint32, fired []wheel.Expiry) []wheel.Expiry {
	l := r.l
	claims := make([]engine.ClaimID, len(batch))
	for k := range batch {
		claims[k] = c.Tasks[k].ClaimID
	}
	r.expect(r.shard.Ack(context.Background(), claims, nil))
	for _, i := range batch {
		if l.aborted() {
			break
		}
		l.cost.Touched++
		fired = l.expired(i, fired)
		l.repeat(i)
	}
	return fired
}

// failed puts the tasks of claim c, whose callbacks have failed, back into the wheel for a retry. A task that has had
// attemptsMax attempts is marked as dead instead. batch contains the indexes of the tasks in Lane.tasks.
func (r *corrected) failed(c engine.Claim, batch []uint32) {
	l := r.l
	for k, i := range batch {
		t := &l.tasks[i]
		f := engine.Failed{ClaimID: c.Tasks[k].ClaimID, Reason: "503 Service Unavailable"}
		if l.aborted() {
			break
		}
		l.cost.Touched++
		if t.tries >= attemptsMax {
			d, err := r.shard.MarkDead(context.Background(), deadMax, []engine.Failed{f})
			r.expect(d.Marked, err)
			l.move(i, levelSide, slotDead)
			continue
		}
		f.Wait = waitFor(t.id, t.tries)
		r.expect(r.shard.Later(context.Background(), engine.Retried, []engine.Failed{f}))
		t.at = c.Now*nsMilli + f.Wait.Nanoseconds()
		l.move(i, levelSide, slotRetry)
	}
}

// expect checks the results of a script that ends claims. current[k] is whether the k-th of these claims was still
// valid. expect stops the lane if err is not nil or an element of current is false, because no claim can become
// invalid in a lane with only one worker.
func (r *corrected) expect(current []bool, err error) {
	r.l.fail(err)
	if err == nil && slices.Contains(current, false) {
		r.l.fail(errMismatch)
	}
}
