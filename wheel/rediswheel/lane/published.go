package lane

import (
	"context"
	"encoding/json"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// published is the implementation of rule that stores and delivers tasks as the published wheel does, including its
// faults. The tasks of each minute are in a sorted set in Redis, the slice of the minute. A ticker that starts with
// the lane triggers a scan every second. From the slice of the current minute, the scan pops the tasks that are due in
// the current second or in the next one.
type published struct {
	l        *Lane
	script   publishedScripts
	nextScan int64 // Unix time of the next scan, in nanoseconds
	wall     int64 // time, in ns, by which the wall clock that the worker and the callers read is ahead of virtual time
}

func newPublished(l *Lane) *published {
	return &published{l: l, script: publishedScripts{Redis: l.server}, nextScan: l.ns(l.start) + nsSecond}
}

func (r *published) clone(l *Lane) rule {
	c := *r
	c.l, c.script.Redis = l, l.server
	return &c
}

// executeAt returns the due time of t as the program that adds t computes it: by its wall clock, in its time zone.
func (r *published) executeAt(t *task) time.Time { return r.callerTime(r.l.ns(t.due)) }

// callerTime converts ns, a virtual time in Unix nanoseconds, to the wall-clock time of a program that adds
// tasks, in the time zone of that program. The program's time zone may differ from UTC, which the scanner uses.
func (r *published) callerTime(ns int64) time.Time {
	return time.Unix(0, ns+r.wall).In(time.FixedZone("", int(r.l.zone)))
}

// fits returns wheel.ErrRange if the lane cannot represent due, a due time in Unix nanoseconds. This is the case if the
// due time by the wall clock, or the number of the slot, would be negative or too large.
func (r *published) fits(due int64) error {
	at := due + r.wall
	slice := at + r.l.zone*nsSecond
	if min(at, slice) < 0 || max(at, slice) > nsMax-nsSecond {
		return wheel.ErrRange
	}
	return nil
}

// slotOf returns the number of the slot of a task that is due at t. The number is 60*minute + second. minute is the
// number of minutes since the Unix epoch in the time zone of t, as in the key of the task's slice. second is the second
// within the minute in UTC, as in the task's score.
func slotOf(t time.Time) uint32 {
	_, zone := t.Zone()
	return uint32(floorDiv(t.Unix()+int64(zone), minute)*minute + t.Unix()%minute)
}

// body returns t in the form in which the published wheel stores it in Redis.
func (r *published) body(t *task) publishedTask {
	b := publishedTask{Key: t.key, CallbackURL: "http://callback.invalid/", Method: "POST"}
	if !r.l.sameBody {
		b.Req = t.id
	}
	return b
}

// add adds task i to Redis and returns its slot. A slice is a sorted set whose members are task bodies. If the
// slice of task i already has a member with the same body, only the score of that member is updated, and the
// earlier task is lost.
func (r *published) add(i uint32) uint32 {
	l := r.l
	t := &l.tasks[i]
	at := r.executeAt(t)
	text, err := json.Marshal(r.body(t))
	l.fail(err)
	t.member, t.score = string(text), at.Unix()
	slot := slotOf(at)
	l.server.set(l.ns(l.now))
	fresh, err := r.script.AddTask(context.Background(), t.key, r.body(t), at)
	l.fail(err)
	l.cost.Slots += scanKeys
	l.cost.Touched++
	if old := r.member(int64(slot)/minute, t.member, i); old != 0 {
		l.merged(old)
	} else if !fresh && err == nil {
		l.fail(errMismatch)
	}
	return slot
}

// merged removes the task with index old from the lane, because its member of the slice in Redis now represents
// another task. It sweeps a task that is marked as cancelled, and cancels any other.
func (l *Lane) merged(old uint32) {
	if l.tasks[old].marked {
		l.swept(old)
		return
	}
	l.cancelled(old)
}

// sliceTime returns the start, in UTC, of the minute with the given number, counted from the Unix epoch.
func sliceTime(number int64) time.Time { return time.Unix(number*minute, 0).UTC() }

// member returns the index of the task whose member in a slice is text, or 0 if there is no such task. number is the
// minute of the slice, counted from the Unix epoch. member ignores the task with index except.
func (r *published) member(number int64, text string, except uint32) uint32 {
	for i := range r.l.tasks {
		t := &r.l.tasks[i]
		if t.used && uint32(i) != except && t.level == levelSlices && int64(t.slot)/minute == number && t.member == text {
			return uint32(i)
		}
	}
	return 0
}

// remove cancels task i by adding its key to a delete set. Each minute has a delete set, with the keys of the tasks
// that the scans of that minute must not call. remove uses the minute in which the task is due or, if l.removeNow
// is set, the current minute.
func (r *published) remove(i uint32) {
	l := r.l
	t := &l.tasks[i]
	l.server.set(l.ns(l.now))
	at := r.executeAt(t)
	if l.removeNow {
		at = r.callerTime(l.ns(l.now))
	}
	marks, err := r.script.RemoveTask(context.Background(), t.key, at)
	l.fail(err)
	if marks == 1 && err == nil { // the script has just set the expiry of the delete set
		l.server.lastMilli(publishedDeleteSetKey(at))
	}
	l.cost.Slots++
	l.cost.Touched++
	if t.level == levelSide {
		l.cancelled(i) // not in Redis any more: no scan has to filter it out
		return
	}
	l.mark(i)
}

// replace marks task i as cancelled or, if the task is no longer in Redis, ends it. In both cases, nothing changes in
// Redis, because the published wheel does not look for an earlier task with the same key.
func (r *published) replace(i uint32) {
	if r.l.tasks[i].level == levelSide {
		r.l.cancelled(i)
		return
	}
	r.l.mark(i)
	r.l.tasks[i].replaced = true
}

// refused does nothing. If the rejected task was to replace an old task, replace has already marked or ended the old
// task, and a marked task remains in its place.
func (r *published) refused() {}

// jump moves the wall clock forward by ns nanoseconds, or back if ns is negative. Later scans may then reach
// tasks that earlier ones have missed.
func (r *published) jump(ns int64) {
	r.wall += ns
	for i := range r.l.tasks {
		r.l.tasks[i].passed = false
	}
}
