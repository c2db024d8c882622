package lane

import (
	"context"
	"encoding/json"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// published is the wheel as it was published: a scan each second, on a ticker that
// begins with the lane, pops the second of now and the next out of the slice of now's
// minute. Faults and all.
type published struct {
	l      *Lane
	script publishedScripts
	scan   int64 // the next scan, ns
	wall   int64 // ns by which the wall clock is ahead
}

func newPublished(l *Lane) *published {
	return &published{l: l, script: publishedScripts{Redis: l.server}, scan: l.ns(l.start) + nsSecond}
}

func (r *published) clone(l *Lane) rule {
	c := *r
	c.l, c.script.Redis = l, l.server
	return &c
}

// executeAt is when a caller says that a task is due, by the wall clock.
func (r *published) executeAt(t *task) time.Time { return r.callers(r.l.ns(t.due)) }

// callers is an instant as the callers tell it: in their own time zone. The scanner's
// is UTC.
func (r *published) callers(ns int64) time.Time {
	return time.Unix(0, ns+r.wall).In(time.FixedZone("", int(r.l.zone)))
}

// fits says whether a second and its slice can be drawn.
func (r *published) fits(due int64) error {
	at := due + r.wall
	slice := at + r.l.zone*nsSecond
	if min(at, slice) < 0 || max(at, slice) > nsMax-nsSecond {
		return wheel.ErrRange
	}
	return nil
}

// slotOf is the slot of a task: the minute that its slice is named by, the second of
// its score.
func slotOf(at time.Time) uint32 {
	_, zone := at.Zone()
	return uint32(floorDiv(at.Unix()+int64(zone), minute)*minute + at.Unix()%minute)
}

// body is a task as it is added.
func (r *published) body(t *task) publishedTask {
	b := publishedTask{Key: t.key, CallbackURL: "http://callback.invalid/", Method: "POST"}
	if !r.l.sameBody {
		b.Req = t.id
	}
	return b
}

// add adds a task. Another one of its slice that has the very same body is the same
// member: its score moves, and it is no task of its own any more.
func (r *published) add(i uint32) uint32 {
	l := r.l
	t := &l.tasks[i]
	at := r.executeAt(t)
	text, err := json.Marshal(r.body(t))
	l.fail(err)
	t.member, t.score, t.second = string(text), at.Unix(), at.Unix()
	slot := slotOf(at)
	l.server.set(l.ns(l.now))
	fresh, err := r.script.AddTask(context.Background(), t.key, r.body(t), at)
	l.fail(err)
	l.cost.Slots += scanKeys
	l.cost.Touched++
	if old := r.member(int64(slot)/minute, t.member, i); old != 0 {
		l.merged(old)
	} else if !fresh && err == nil {
		l.fail(errNotes)
	}
	return slot
}

// merged ends a task whose member has become another's.
func (l *Lane) merged(old uint32) {
	if l.tasks[old].marked {
		l.swept(old)
		return
	}
	l.cancelled(old)
}

// sliceTime is a time in the minute, in UTC, of the number given.
func sliceTime(number int64) time.Time { return time.Unix(number*minute, 0).UTC() }

// member finds the task, other than `but`, that a member of a minute's slice is.
func (r *published) member(number int64, text string, but uint32) uint32 {
	for i := range r.l.tasks {
		t := &r.l.tasks[i]
		if t.used && uint32(i) != but && t.level == levelSlices && int64(t.slot)/minute == number && t.member == text {
			return uint32(i)
		}
	}
	return 0
}

// remove marks a task as deleted, in the minute that the caller names.
func (r *published) remove(i uint32) {
	l := r.l
	t := &l.tasks[i]
	l.server.set(l.ns(l.now))
	at := r.executeAt(t)
	if l.removeNow {
		at = r.callers(l.ns(l.now))
	}
	marks, err := r.script.RemoveTask(context.Background(), t.key, at)
	l.fail(err)
	if marks == 1 && err == nil { // the set was given its life anew
		l.server.lastMilli(publishedDeleteSetKey(at))
	}
	l.cost.Slots++
	l.cost.Touched++
	if t.level == levelBeside {
		l.cancelled(i) // nowhere in Redis: there is nothing left to be filtered
		return
	}
	l.mark(i)
}

// replace does nothing yet: the published wheel does not know what a key had before.
func (r *published) replace(i uint32) {
	if r.l.tasks[i].level == levelBeside {
		r.l.cancelled(i)
		return
	}
	r.l.mark(i)
	r.l.tasks[i].replaced = true
}

// refused does nothing: what was to be replaced stands where it stood.
func (r *published) refused() {}

// jump sets the wall clock. What was passed may come in sight again.
func (r *published) jump(by int64) {
	r.wall += by
	for i := range r.l.tasks {
		r.l.tasks[i].passed = false
	}
}
