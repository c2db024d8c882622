package lane

import (
	"errors"

	"github.com/wheelscope/wheelscope/wheel"
)

// Events of the lane. Most functions below change the state of the lane and emit the event of the change.

// emit sets e.Cost to the total cost so far, and adds e to the log, if there is one.
func (l *Lane) emit(e wheel.Event) {
	if l.log == nil {
		return
	}
	e.Cost = l.cost.Total()
	l.log.Add(e)
}

// emitTask emits an event of kind k about task i. The event does not include the place of the task.
func (l *Lane) emitTask(k wheel.Kind, i uint32) {
	t := &l.tasks[i]
	l.emit(wheel.Event{Kind: k, ID: t.id, Due: t.due, Run: t.run, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}

// emitFrom emits an event of kind k about task i, with the place of the task as the source. The caller must then
// remove the task from that place.
func (l *Lane) emitFrom(k wheel.Kind, i uint32) {
	t := &l.tasks[i]
	l.emit(wheel.Event{Kind: k, ID: t.id, Due: t.due, Run: t.run, FromLevel: t.level, FromSlot: t.slot, ToLevel: wheel.NoLevel})
}

// emitRefused emits the schedule and reject events of a timer that was rejected with err. run is the number
// of the rejected run.
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

// finding emits a finding: an effect of a fault of the published wheel, or an error that stopped the lane. id is the
// key of the timer that the finding concerns, or 0 if the finding concerns the whole lane. expect is the expected
// value, and got is the actual value. What is measured depends on code.
func (l *Lane) finding(code uint8, id uint32, expect, got int64) {
	l.counts.Findings++
	l.emit(wheel.Event{Kind: wheel.KindFinding, Code: code, ID: id, Due: expect, X: got, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}

// setPlace puts task i, which has no place yet, into the place at level and slot, and emits a place event.
func (l *Lane) setPlace(i uint32, level int8, slot uint32) {
	before := l.put(i, level, slot)
	l.emitPlace(wheel.KindPlace, i, wheel.NoLevel, 0, before)
}

// move moves task i to the place at level and slot. It emits an event of kind cascade if the level changes,
// and of kind place otherwise.
func (l *Lane) move(i uint32, level int8, slot uint32) {
	t := &l.tasks[i]
	from, fromSlot := t.level, t.slot
	l.removeFromPlace(i)
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

// hand emits a hand event, which reports that the worker visits the place at level and slot. The place must contain
// tasks.
func (l *Lane) hand(level int8, slot uint32) {
	l.emit(wheel.Event{Kind: wheel.KindHand, FromLevel: level, FromSlot: slot, ToLevel: wheel.NoLevel})
}

// cancelled emits the cancel event of task i and ends the task.
func (l *Lane) cancelled(i uint32) {
	l.counts.Cancelled++
	l.emitFrom(wheel.KindCancel, i)
	l.removeFromPlace(i)
	l.release(i)
}

// mark marks task i as cancelled and emits a mark event. The task remains in its place.
func (l *Lane) mark(i uint32) {
	t := &l.tasks[i]
	t.marked = true
	l.live--
	l.counts.Cancelled++
	l.emit(wheel.Event{Kind: wheel.KindMark, ID: t.id, Due: t.due, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}

// swept emits the sweep event of task i, which must be marked as cancelled, and ends the task.
func (l *Lane) swept(i uint32) {
	l.emitFrom(wheel.KindSweep, i)
	l.removeFromPlace(i)
	l.release(i)
}

// expired emits the expire event of task i, whose callback has succeeded. It removes the task from its place
// and appends it to fired.
func (l *Lane) expired(i uint32, fired []wheel.Expiry) []wheel.Expiry {
	t := &l.tasks[i]
	l.counts.Expired++
	l.emitFrom(wheel.KindExpire, i)
	fired = append(fired, wheel.Expiry{Due: t.due, Key: t.id, Run: t.run})
	l.removeFromPlace(i)
	return fired
}

// repeat schedules the next run of task i, or ends the task if no run is left.
func (l *Lane) repeat(i uint32) {
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
