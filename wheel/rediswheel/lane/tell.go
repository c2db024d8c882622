package lane

import (
	"errors"

	"github.com/wheelscope/wheelscope/wheel"
)

// What the lane tells. Each helper changes the notes and tells the event of it.

// tell tells one event.
func (l *Lane) tell(e wheel.Event) {
	if l.log == nil {
		return
	}
	e.Cost = l.cost.Total()
	l.log.Add(e)
}

// tellTask tells an event of a task that stands nowhere.
func (l *Lane) tellTask(k wheel.Kind, i uint32) {
	t := &l.tasks[i]
	l.tell(wheel.Event{Kind: k, ID: t.id, Due: t.due, Run: t.run, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}

// tellFrom tells an event of a task about to leave its place for good.
func (l *Lane) tellFrom(k wheel.Kind, i uint32) {
	t := &l.tasks[i]
	l.tell(wheel.Event{Kind: k, ID: t.id, Due: t.due, Run: t.run, FromLevel: t.level, FromSlot: t.slot, ToLevel: wheel.NoLevel})
}

// tellRefused tells a timer, or its next run, that can't be kept.
func (l *Lane) tellRefused(s wheel.Spec, run uint32, err error) {
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
	l.tell(e)
	e.Kind, e.Code = wheel.KindReject, code
	l.tell(e)
}

// finding tells a fault about a task.
func (l *Lane) finding(code uint8, id uint32, expect, got int64) {
	l.counts.Findings++
	l.tell(wheel.Event{Kind: wheel.KindFinding, Code: code, ID: id, Due: expect, X: got, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}

// stand puts a task that stood nowhere into its first place.
func (l *Lane) stand(i uint32, level int8, slot uint32) {
	before := l.put(i, level, slot)
	l.tellPlace(wheel.KindPlace, i, wheel.NoLevel, 0, before)
}

// move brings a task to another place: a cascade between slices and what is beside
// them, a place within one of the two.
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
	l.tellPlace(kind, i, from, fromSlot, before)
}

func (l *Lane) tellPlace(k wheel.Kind, i uint32, from int8, fromSlot, before uint32) {
	t := &l.tasks[i]
	e := wheel.Event{Kind: k, ID: t.id, Due: t.due, Run: t.run, FromLevel: from, FromSlot: fromSlot, ToLevel: t.level, ToSlot: t.slot}
	if k == wheel.KindPlace {
		e.X = wheel.NoRounds
	}
	if before != 0 {
		e.Before = l.tasks[before].id
	}
	l.tell(e)
}

// hand tells that the worker looks into a place that holds tasks.
func (l *Lane) hand(level int8, slot uint32) {
	l.tell(wheel.Event{Kind: wheel.KindHand, FromLevel: level, FromSlot: slot, ToLevel: wheel.NoLevel})
}

// cancelled ends a task that was taken away.
func (l *Lane) cancelled(i uint32) {
	l.counts.Cancelled++
	l.tellFrom(wheel.KindCancel, i)
	l.leave(i)
	l.release(i)
}

// mark notes that a task is cancelled and stays where it is.
func (l *Lane) mark(i uint32) {
	t := &l.tasks[i]
	t.marked = true
	l.live--
	l.counts.Cancelled++
	l.tell(wheel.Event{Kind: wheel.KindMark, ID: t.id, Due: t.due, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}

// swept ends a marked task.
func (l *Lane) swept(i uint32) {
	l.tellFrom(wheel.KindSweep, i)
	l.leave(i)
	l.release(i)
}

// expired lets a task run, whose callback was called and went well.
func (l *Lane) expired(i uint32, fired []wheel.Expiry) []wheel.Expiry {
	t := &l.tasks[i]
	l.counts.Expired++
	l.tellFrom(wheel.KindExpire, i)
	fired = append(fired, wheel.Expiry{Due: t.due, Key: t.id, Run: t.run})
	l.leave(i)
	return fired
}

// again arms the next run of a task that has run, or ends it.
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
		l.tellRefused(wheel.Spec{Key: t.id, Due: t.due}, t.run, err)
		l.release(i)
		return
	}
	l.arm(i)
}
