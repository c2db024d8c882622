package lane

import (
	"errors"

	"github.com/wheelscope/wheelscope/wheel"
)

// Events of the lane. Each helper changes the lane's state and emits the event of the change.

// emit adds one event to the log, if there is one.
func (l *Lane) emit(e wheel.Event) {
	if l.log == nil {
		return
	}
	e.Cost = l.cost.Total()
	l.log.Add(e)
}

// emitTask emits an event of a task that has no place.
func (l *Lane) emitTask(k wheel.Kind, i uint32) {
	t := &l.tasks[i]
	l.emit(wheel.Event{Kind: k, ID: t.id, Due: t.due, Run: t.run, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}

// emitFrom emits an event of a task that is about to leave its place for good.
func (l *Lane) emitFrom(k wheel.Kind, i uint32) {
	t := &l.tasks[i]
	l.emit(wheel.Event{Kind: k, ID: t.id, Due: t.due, Run: t.run, FromLevel: t.level, FromSlot: t.slot, ToLevel: wheel.NoLevel})
}

// emitRefused emits the events of a timer, or of its next run, that can't be kept.
func (l *Lane) emitRefused(s wheel.Spec, run uint32, err error) {
	code := wheel.CodeFault
	switch {
	case errors.Is(err, wheel.ErrCapacity):
		code = wheel.CodeCapacity
	case errors.Is(err, wheel.ErrPast):
		code = wheel.CodePast
	case errors.Is(err, wheel.ErrRange):
		code = wheel.CodeRange
	}
	e := wheel.Event{Kind: wheel.KindSchedule, ID: s.Key, Due: s.Due, Run: run, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel}
	l.emit(e)
	e.Kind, e.Code = wheel.KindReject, code
	l.emit(e)
}

// finding emits a finding about a task.
func (l *Lane) finding(code uint8, id uint32, expect, got int64) {
	l.counts.Findings++
	l.emit(wheel.Event{Kind: wheel.KindFinding, Code: code, ID: id, Due: expect, X: got, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}

// stand puts a task that has no place into its first one.
func (l *Lane) stand(i uint32, level int8, slot uint32) {
	before := l.put(i, level, slot)
	l.emitPlace(wheel.KindPlace, i, wheel.NoLevel, 0, before)
}

// move moves a task to another place. The event is a cascade if the level changes, and a
// placement if it does not.
func (l *Lane) move(i uint32, level int8, slot uint32) {
	t := &l.tasks[i]
	from, fromSlot := t.level, t.slot
	l.leave(i)
	before := l.put(i, level, slot)
	l.cost.Moved++
	kind := wheel.KindCascade
	if from == level {
		kind = wheel.KindPlace
	}
	l.emitPlace(kind, i, from, fromSlot, before)
}

func (l *Lane) emitPlace(k wheel.Kind, i uint32, from int8, fromSlot, before uint32) {
	t := &l.tasks[i]
	e := wheel.Event{Kind: k, ID: t.id, Due: t.due, Run: t.run, FromLevel: from, FromSlot: fromSlot, ToLevel: t.level, ToSlot: t.slot}
	if k == wheel.KindPlace {
		e.X = wheel.NoRounds
	}
	if before != 0 {
		e.Before = l.tasks[before].id
	}
	l.emit(e)
}

// hand emits the event that the worker visits a place that holds tasks.
func (l *Lane) hand(level int8, slot uint32) {
	l.emit(wheel.Event{Kind: wheel.KindHand, FromLevel: level, FromSlot: slot, ToLevel: wheel.NoLevel})
}

// cancelled ends a task that was removed.
func (l *Lane) cancelled(i uint32) {
	l.counts.Cancelled++
	l.emitFrom(wheel.KindCancel, i)
	l.leave(i)
	l.release(i)
}

// mark marks a task as cancelled; it keeps its place.
func (l *Lane) mark(i uint32) {
	t := &l.tasks[i]
	t.marked = true
	l.live--
	l.counts.Cancelled++
	l.emit(wheel.Event{Kind: wheel.KindMark, ID: t.id, Due: t.due, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}

// swept ends a marked task.
func (l *Lane) swept(i uint32) {
	l.emitFrom(wheel.KindSweep, i)
	l.leave(i)
	l.release(i)
}

// expired takes a task whose callback succeeded out of its place and appends it to fired.
func (l *Lane) expired(i uint32, fired []wheel.Expiry) []wheel.Expiry {
	t := &l.tasks[i]
	l.counts.Expired++
	l.emitFrom(wheel.KindExpire, i)
	fired = append(fired, wheel.Expiry{Due: t.due, Key: t.id, Run: t.run})
	l.leave(i)
	return fired
}

// again schedules the next run of a task that has run, or ends the task.
func (l *Lane) again(i uint32) {
	t := &l.tasks[i]
	if t.every == 0 || t.left == 0 {
		l.release(i)
		return
	}
	if t.left > 0 {
		t.left--
	}
	t.run++
	t.due += t.every
	t.passed, t.lost, t.tries = false, false, 0
	err := wheel.ErrRange
	if t.due <= nsMax/l.nanos {
		err = l.rule.fits(l.ns(t.due))
	}
	if err != nil {
		l.counts.Scheduled++
		l.counts.Rejected++
		l.emitRefused(wheel.Spec{Key: t.id, Due: t.due}, t.run, err)
		l.release(i)
		return
	}
	l.arm(i)
}
