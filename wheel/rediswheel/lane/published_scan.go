package lane

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// errNotes is returned if a reply of Redis contradicts the state of the lane.
var errNotes = errors.New("redis: the reply does not fit what is noted")

// scanKeys is the number of keys that a scan reads: the slice and its delete set.
const scanKeys = 2

// scanSecond returns the time, in seconds since 1970, of the first scan that pops task t. If no scan does, it returns
// that of the first scan after the second in which t is due.
func (r *published) scanSecond(t *task) int64 {
	slice := int64(t.slot) / minute
	if slice != t.score/minute {
		return t.score + 1 // the scans of its second read another slice
	}
	return max(t.score-1, slice*minute)
}

// next returns the instant of the next scan that pops a task or finds that it is too late for one.
// It returns false if there is none.
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

// first returns the instant of the first scan at or after the instant `at`.
func (r *published) first(at int64) int64 {
	if at <= r.scan {
		return r.scan
	}
	return r.scan + (at-r.scan+nsSecond-1)/nsSecond*nsSecond
}

// pass adds the cost of the scans up to the instant `to`, without running them. They must find nothing.
func (r *published) pass(to int64) {
	if to < r.scan {
		return
	}
	n := (to-r.scan)/nsSecond + 1
	r.l.cost.Slots += scanKeys * n
	r.scan += n * nsSecond
}

func (r *published) idlePeak(to wheel.Tick) (int64, wheel.Tick) {
	return r.l.idlePeak(r.scan, nsSecond, to, scanKeys)
}

// work runs the ticker's scan at the instant `at`.
func (r *published) work(at int64, fired []wheel.Expiry) []wheel.Expiry {
	r.scan = at + nsSecond
	return r.scanAt(at, fired)
}

// wake runs one scan at the instant `at`, because a ticker buffers one tick while the worker is
// suspended. The ticker then continues as before.
func (r *published) wake(at int64, fired []wheel.Expiry) []wheel.Expiry {
	if at < r.scan {
		return fired
	}
	r.scan += ((at-r.scan)/nsSecond + 1) * nsSecond
	return r.scanAt(at, fired)
}

// scanAt runs a scan at the instant `at` and the callbacks of the tasks that it popped.
func (r *published) scanAt(at int64, fired []wheel.Expiry) []wheel.Expiry {
	now := time.Unix(0, at+r.wall).UTC()
	batch := r.pop(now)
	if len(batch) > 0 {
		fired = r.callBack(at, batch, fired)
	}
	r.markPassed(now.Unix())
	return fired
}

// popped is a task that a scan has taken out of its slice. deleted is whether its key was in the
// delete set, so that it must not be called.
type popped struct {
	task    uint32
	deleted bool
}

// pop runs the scan script when the wall clock shows now, and returns the popped tasks, whose new
// place is slotFlight.
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
			l.fail(errNotes)
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

// callBack runs the callbacks of the popped tasks at the instant `at`, unless their worker dies first.
func (r *published) callBack(at int64, batch []popped, fired []wheel.Expiry) []wheel.Expiry {
	l := r.l
	dies := !l.died && at >= l.dies
	l.died = l.died || dies
	for _, b := range batch {
		t := &l.tasks[b.task]
		switch {
		case l.err != nil:
			return fired
		case t.marked:
			r.sweep(b.task, !b.deleted && !dies && !l.failing(at))
		case b.deleted || dies || l.failing(at): // deleted: the mark of its key was meant for another task
			l.move(b.task, levelSide, slotLost)
			l.findLost(b.task)
		default:
			fired = r.fire(b.task, at, fired)
		}
	}
	return fired
}

// fire runs the callback of task i at the instant `at` and schedules its next run.
func (r *published) fire(i uint32, at int64, fired []wheel.Expiry) []wheel.Expiry {
	l := r.l
	t := &l.tasks[i]
	if off := at - l.ns(t.due); off <= -nsSecond {
		defer l.finding(wheel.CodeEarly, t.id, t.due, l.now)
	}
	fired = l.expired(i, fired)
	l.repeat(i)
	return fired
}

// sweep removes the cancelled task i. If called is true, its callback ran although it was
// cancelled, and sweep emits a finding.
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

// markPassed marks the tasks that no scan can pop any more, because they are due before second, the
// scanner's current second since 1970. These tasks are never removed from their slices.
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

// findLost emits the finding that task i is lost: it is never called. It does so only once per task.
func (l *Lane) findLost(i uint32) {
	if t := &l.tasks[i]; !t.lost {
		t.lost = true
		l.finding(wheel.CodeLost, t.id, 1, 0)
	}
}
