package lane

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// errMismatch is the error with which a lane stops when a reply of Redis contradicts the state of the lane.
var errMismatch = errors.New("redis: the reply does not fit what is noted")

// scanKeys is the number of Redis keys that a scan reads: the slice of the current minute, and the delete set of that
// minute, which contains the keys of removed tasks.
const scanKeys = 2

// scanSecond returns the earliest wall-clock time, in Unix seconds, at which a scan can pop task t. If no scan can
// pop t, scanSecond returns the second after the one in which t is due. A scan in that later second detects that t
// was missed.
func (r *published) scanSecond(t *task) int64 {
	slice := int64(t.slot) / minute
	if slice != t.score/minute {
		return t.score + 1 // the scans of its second read another slice
	}
	return max(t.score-1, slice*minute)
}

// next returns the Unix time, in nanoseconds, of the next scan that pops a task, or that detects that a task can no
// longer be popped. It returns false if there is no such scan.
func (r *published) next() (int64, bool) {
	best, found := int64(0), false
	for i := range r.l.tasks {
		t := &r.l.tasks[i]
		if !t.used || t.level != levelSlices || t.passed {
			continue
		}
		if at := r.first(r.scanSecond(t)*nsSecond - r.wall); !found || at < best {
			best, found = at, true
		}
	}
	return best, found && best <= nsMax
}

// first returns the time of the first scan at or after from. Both times are Unix times in nanoseconds.
func (r *published) first(from int64) int64 {
	if from <= r.nextScan {
		return r.nextScan
	}
	return r.nextScan + (from-r.nextScan+nsSecond-1)/nsSecond*nsSecond
}

// pass skips the scans up to and including end, a Unix time in nanoseconds, and adds their cost to the cost of the
// lane. The caller must know that these scans would find no task.
func (r *published) pass(end int64) {
	if end < r.nextScan {
		return
	}
	n := (end-r.nextScan)/nsSecond + 1
	r.l.cost.Slots += scanKeys * n
	r.nextScan += n * nsSecond
}

func (r *published) idlePeak(to wheel.Tick) (int64, wheel.Tick) {
	return r.l.idlePeak(r.nextScan, nsSecond, to, scanKeys)
}

// work runs the scan that the ticker triggers at now, a Unix time in nanoseconds, and appends the expired timers to
// fired.
func (r *published) work(now int64, fired []wheel.Expiry) []wheel.Expiry {
	r.nextScan = now + nsSecond
	return r.scanAt(now, fired)
}

// wake is called when a suspended worker continues at now, a Unix time in nanoseconds. If the worker has missed scans,
// wake runs one scan and appends the expired timers to fired. The other missed scans are skipped, as with a
// [time.Ticker], and the next scan takes place at its regular time.
func (r *published) wake(now int64, fired []wheel.Expiry) []wheel.Expiry {
	if now < r.nextScan {
		return fired
	}
	r.nextScan += ((now-r.nextScan)/nsSecond + 1) * nsSecond
	return r.scanAt(now, fired)
}

// scanAt runs a scan at now, a Unix time in nanoseconds, and then the callbacks of the tasks that the scan has popped.
// It appends the expired timers to fired.
func (r *published) scanAt(now int64, fired []wheel.Expiry) []wheel.Expiry {
	clock := time.Unix(0, now+r.wall).UTC()
	batch := r.pop(clock)
	if len(batch) > 0 {
		fired = r.callBack(now, batch, fired)
	}
	r.markPassed(clock.Unix())
	return fired
}

// popped is a task that a scan has popped from its slice. task is the index of the task in Lane.tasks. deleted is
// whether the key of the task was in the delete set; if so, the worker does not call the task.
type popped struct {
	task    uint32
	deleted bool
}

// pop runs the scan script at the wall-clock time now. It moves the tasks that the script has popped to slotFlight, the
// slot of tasks that the worker has taken, and returns these tasks. If the lane does not know a popped task, pop stops
// the lane and returns the tasks that it has already moved.
func (r *published) pop(now time.Time) (batch []popped) {
	l := r.l
	scan, err := r.script.Scan(context.Background(), now)
	l.fail(err)
	l.cost.Slots += scanKeys
	l.cost.Touched += int64(len(scan.Deleted) + len(scan.Bodies))
	seen := uint32(0)
	for _, text := range scan.Bodies {
		i := r.member(now.Unix()/minute, text, 0)
		if i == 0 {
			l.fail(errMismatch)
			return batch
		}
		t := &l.tasks[i]
		if len(batch) == 0 || t.slot != seen {
			seen = t.slot
			l.hand(levelSlices, seen)
		}
		batch = append(batch, popped{i, slices.Contains(scan.Deleted, t.key)})
		l.move(i, levelSide, slotFlight)
	}
	return batch
}

// callBack runs the callbacks of batch, the tasks popped by a scan at now, a Unix time in nanoseconds, and appends the
// expired timers to fired. It sweeps tasks that are marked as cancelled. The others are lost if the worker dies before
// it runs the callbacks or if the callbacks fail, and so is each task whose key was in the delete set.
func (r *published) callBack(now int64, batch []popped, fired []wheel.Expiry) []wheel.Expiry {
	l := r.l
	dies := !l.died && now >= l.dies
	l.died = l.died || dies
	for _, b := range batch {
		t := &l.tasks[b.task]
		switch {
		case l.err != nil:
			return fired
		case t.marked:
			r.sweep(b.task, !b.deleted && !dies && !l.failing(now))
		case b.deleted || dies || l.failing(now): // deleted: the mark of its key was meant for another task
			l.move(b.task, levelSide, slotLost)
			l.findLost(b.task)
		default:
			fired = r.fire(b.task, now, fired)
		}
	}
	return fired
}

// fire runs the callback of task i at now, a Unix time in nanoseconds, appends the task to fired, and schedules the
// next run of the task.
func (r *published) fire(i uint32, now int64, fired []wheel.Expiry) []wheel.Expiry {
	l := r.l
	t := &l.tasks[i]
	if off := now - l.ns(t.due); off <= -nsSecond {
		defer l.finding(wheel.CodeEarly, t.id, t.due, l.now)
	}
	fired = l.expired(i, fired)
	l.repeat(i)
	return fired
}

// sweep removes task i, which was marked as cancelled. called is whether the worker has run the callback of the task
// nevertheless. If so, sweep emits a finding.
func (r *published) sweep(i uint32, called bool) {
	l := r.l
	id, replaced := l.tasks[i].id, l.tasks[i].replaced
	l.swept(i)
	switch {
	case !called:
	case replaced:
		l.finding(wheel.CodeTwice, id, 1, 2)
	default:
		l.finding(wheel.CodeRevived, id, 0, 1)
	}
}

// markPassed sets the passed field of each task that is still in a slice although it was due before second, the
// scanner's current time in Unix seconds. No later scan pops such a task, and the wheel never removes it from
// its slice. markPassed emits a finding for each of these tasks that is not cancelled.
func (r *published) markPassed(second int64) {
	l := r.l
	for k := range l.places {
		if l.places[k].level != levelSlices {
			continue
		}
		for _, i := range l.places[k].tasks {
			t := &l.tasks[i]
			if t.score >= second || t.passed {
				continue
			}
			t.passed = true
			if !t.marked {
				l.findLost(i)
			}
		}
	}
}

// findLost emits a finding that task i is lost, that is, that it will never be called. It does nothing if it has
// already emitted this finding for the current run of the task.
func (l *Lane) findLost(i uint32) {
	if t := &l.tasks[i]; !t.lost {
		t.lost = true
		l.finding(wheel.CodeLost, t.id, 1, 0)
	}
}
