package lane

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// errNotes says that Redis and the notes beside it are not of one mind.
var errNotes = errors.New("redis: the reply does not fit what is noted")

// scanKeys is how many keys a scan looks into: the slice and its delete set.
const scanKeys = 2

// meets is the second of the first scan that pops a task or comes past it for good.
func (r *published) meets(t *task) int64 {
	slice := int64(t.slot) / minute
	if slice != t.score/minute {
		return t.score + 1 // it is looked for in another slice
	}
	return max(t.score-1, slice*minute)
}

// next is the first scan that pops something, or comes past something for good.
func (r *published) next() (int64, bool) {
	best, found := int64(0), false
	for i := range r.l.tasks {
		t := &r.l.tasks[i]
		if !t.used || t.level != levelSlices || t.passed {
			continue
		}
		if at := r.first(r.meets(t)*nsSecond - r.wall); !found || at < best {
			best, found = at, true
		}
	}
	return best, found && best <= nsMax
}

// first is the first scan at or after an instant.
func (r *published) first(at int64) int64 {
	if at <= r.scan {
		return r.scan
	}
	return r.scan + (at-r.scan+nsSecond-1)/nsSecond*nsSecond
}

// pass counts the scans up to an instant, which find nothing.
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

// work is the scan of the ticker.
func (r *published) work(at int64, fired []wheel.Expiry) []wheel.Expiry {
	r.scan = at + nsSecond
	return r.look(at, fired)
}

// wake is the one scan that a ticker has kept while nobody listened; the ticker goes on
// as before.
func (r *published) wake(at int64, fired []wheel.Expiry) []wheel.Expiry {
	if at < r.scan {
		return fired
	}
	r.scan += ((at-r.scan)/nsSecond + 1) * nsSecond
	return r.look(at, fired)
}

// look scans at an instant.
func (r *published) look(at int64, fired []wheel.Expiry) []wheel.Expiry {
	now := time.Unix(0, at+r.wall).UTC()
	batch := r.pop(now)
	if len(batch) > 0 {
		fired = r.callBack(at, batch, fired)
	}
	r.comePast(now.Unix())
	return fired
}

// popped is a task taken out of its slice, and whether its key was marked as deleted.
type popped struct {
	task    uint32
	deleted bool
}

// pop runs the script and takes what it popped out of the notes.
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
		l.move(i, levelBeside, slotFlight)
	}
	return batch
}

// callBack calls what was popped, unless its worker dies first.
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
		case b.deleted || dies || l.failing(at): // deleted: its key was marked for another task
			l.move(b.task, levelBeside, slotLost)
			l.lose(b.task)
		default:
			fired = r.fire(b.task, at, fired)
		}
	}
	return fired
}

// fire calls a task back, and arms its next run.
func (r *published) fire(i uint32, at int64, fired []wheel.Expiry) []wheel.Expiry {
	l := r.l
	t := &l.tasks[i]
	if off := at - l.ns(t.due); off <= -nsSecond {
		defer l.finding(wheel.CodeEarly, t.id, t.due, l.now)
	}
	fired = l.expired(i, fired)
	l.again(i)
	return fired
}

// sweep ends a task that was cancelled. Without a mark of its key it is called all the
// same.
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

// comePast finds the tasks that no scan will pop any more: their second is over by
// the scanner's clock, and they stand in their slices for good.
func (r *published) comePast(second int64) {
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
				l.lose(i)
			}
		}
	}
}

// lose tells, once, that a task is never called.
func (l *Lane) lose(i uint32) {
	if t := &l.tasks[i]; !t.lost {
		t.lost = true
		l.finding(wheel.CodeLost, t.id, 1, 0)
	}
}
