package lane

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// errMismatch is the error with which a lane stops if a reply of Redis contradicts the state of the lane.
var errMismatch = errors.New("redis: the reply does not fit what is noted")

// scanKeys is the number of keys that a scan reads: the slice of the current minute and its delete set, the keys of
// removed tasks.
const scanKeys = 2

// scanSecond returns the wall-clock time, in Unix seconds, from which a scan pops task t. If no scan can pop
// it, scanSecond returns the second after the one in which t is due, when a scan detects that t was missed.
func (r *published) scanSecond(t *task) int64 {
	slice := int64(t.slot) / minute
	if slice != t.score/minute {
		return t.score + 1 // the scans of its second read another slice
	}
	return max(t.score-1, slice*minute)
}

// next returns the time of the next scan that pops a task or detects that a task can no longer be popped. It
// returns false if there is no such scan.
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

// pass skips the scans up to and including the time end, and adds their cost to that of the lane. The caller must know
// that these scans would find no task.
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

// work runs the scan triggered by the ticker at time now, and appends the expired timers to fired.
func (r *published) work(now int64, fired []wheel.Expiry) []wheel.Expiry {
	r.nextScan = now + nsSecond
	return r.scanAt(now, fired)
}

// wake runs one scan at time now if the suspended worker has missed one or more, and appends the expired timers
// to fired. Further missed scans are skipped, as with a [time.Ticker], and the next scan is on time again.
func (r *published) wake(now int64, fired []wheel.Expiry) []wheel.Expiry {
	if now < r.nextScan {
		return fired
	}
	r.nextScan += ((now-r.nextScan)/nsSecond + 1) * nsSecond
	return r.scanAt(now, fired)
}

// scanAt runs a scan at time now and the callbacks of the tasks that it popped. It appends the expired timers
// to fired.
func (r *published) scanAt(now int64, fired []wheel.Expiry) []wheel.Expiry {
	clock := time.Unix(0, now+r.wall).UTC()
	batch := r.pop(clock)
	if len(batch) > 0 {
		fired = r.callBack(now, batch, fired)
	}
	r.markPassed(clock.Unix())
	return fired
}

// popped is a task that a scan has popped from its slice. task is its index in Lane.tasks. deleted is set if the key of
// the task was in the delete set; the task must then not be called.
type popped struct {
	task    uint32
	deleted bool
}

// pop runs the scan script at the wall-clock time now, moves the popped tasks to slotFlight, the slot of tasks that the
// worker has taken, and returns them. If the lane stops because of an error, pop returns the tasks moved before.
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

// callBack runs the callbacks of the popped tasks in batch at time now, unless the worker dies first. It
// appends the expired timers to fired.
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

// fire runs the callback of task i at time now, appends the task to fired and schedules its next run.
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

// sweep removes task i, which was cancelled. If called is true, the callback of the task was run although it
// was cancelled, and sweep emits a finding.
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

// findLost emits a finding that task i is lost, that is, never called, unless it has emitted one for this
// task before.
func (l *Lane) findLost(i uint32) {
	if t := &l.tasks[i]; !t.lost {
		t.lost = true
		l.finding(wheel.CodeLost, t.id, 1, 0)
	}
}
