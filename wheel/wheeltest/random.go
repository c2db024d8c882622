package wheeltest

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Random operations, checked against a model: a timer is due at one instant or is not pending.
var random = []Property{
	{
		Name: "random operations", Rule: "whatever is armed, stopped and reset: each timer fires once, when it is due, and only if it is armed",
		ops: true, body: randomOperations,
	},
}

// Bounds of random operations.
const (
	opsDrawn  = 60 // operations of one try
	opsTimers = 12 // names
	opsSpread = 40 // maximum delay in ticks, most of the time
)

// draw returns opsDrawn random operations with short and long delays, at any phase of a tick.
// resets allows Reset, and far allows long delays.
func draw(r *rand.Rand, tick time.Duration, resets, far bool) []Op {
	var ops []Op
	at := time.Duration(0)
	for range opsDrawn {
		if r.IntN(3) > 0 {
			at += time.Duration(r.Int64N(int64(4*tick) + 1))
		}
		op := Op{At: at, Do: "schedule", Timer: fmt.Sprint("timer", r.IntN(opsTimers)+1)}
		switch n := r.IntN(10); {
		case n < 3:
			op.Do = "cancel"
		case n < 5 && resets:
			op.Do = "reset"
		}
		if op.Do != "cancel" {
			op.Delay = drawDelay(r, tick, far)
		}
		ops = append(ops, op)
	}
	return ops
}

func drawDelay(r *rand.Rand, tick time.Duration, far bool) time.Duration {
	switch r.IntN(10) {
	case 0:
		return 0
	case 1:
		if far { // in fake time, waiting costs nothing
			return tick * time.Duration(r.IntN(20*opsSpread))
		}
	case 2, 3:
		return tick * time.Duration(r.IntN(opsSpread))
	}
	return time.Duration(r.Int64N(int64(tick) * opsSpread))
}

// model is the expected state of one timer.
type model struct {
	shot  *shot
	armed bool // scheduled and not stopped since: it must fire once
	wild  bool // it may fire or not
}

// ledger is the expected state of all timers of one try.
type ledger struct {
	names map[string]*model
	all   []*model
	last  time.Time // latest due time
}

func randomOperations(x *exam) {
	l := ledger{names: map[string]*model{}, last: x.begun}
	for _, op := range x.ops {
		x.pass(op.At - time.Since(x.begun))
		l.step(x, op)
	}
	x.pass(time.Until(l.last))
	x.settle()
	for _, m := range l.all {
		switch {
		case m.wild:
		case m.armed:
			x.once(m.shot)
		default:
			x.never(m.shot, "Stop had returned true")
		}
	}
}

// step performs operation op and compares its result with the model.
func (l *ledger) step(x *exam, op Op) {
	m := l.names[op.Timer]
	switch {
	case op.Do == "cancel":
		if m != nil {
			m.stop(x)
		}
		return
	case op.Do == "reset" && m != nil:
		m.reset(x, op.Delay)
	default:
		if m != nil && m.live() { // another timer takes its name
			m.stop(x)
		}
		m = &model{shot: x.after(op.Delay), armed: true}
		l.names[op.Timer] = m
		l.all = append(l.all, m)
	}
	if m.shot.due.After(l.last) {
		l.last = m.shot.due
	}
}

// live reports whether the timer is scheduled and not due yet.
func (m *model) live() bool { return m.armed && time.Now().Before(m.shot.due) }

// stop stops the timer and compares the result with the model. Between the due time and the end of
// the permitted lateness, Stop may return either value, and the model adopts the one returned. That
// also applies if the due time passes during the call.
func (m *model) stop(x *exam) {
	live := m.live()
	near := m.armed && (live || time.Since(m.shot.due) <= x.slack())
	said := x.stop(m.shot)
	near = near && !m.live()
	if x.config.mute {
		said = live
		if near { // it can't be known
			m.wild = true
		}
	}
	if !near {
		x.checkAnswer("Stop of "+m.shot.name+m.state(live), said, live)
	}
	if said {
		m.armed = false
	}
}

func (m *model) state(live bool) string {
	switch {
	case live:
		return ", which is armed,"
	case m.armed:
		return ", which has fired,"
	}
	return ", which was stopped before,"
}

// reset reschedules the timer for d from now. If it was due, its firing is checked first. If it
// became due while Reset was called, it may have fired as well.
func (m *model) reset(x *exam, d time.Duration) {
	live, due := m.live(), m.shot.due
	if m.armed && !live {
		x.settle()
		if !m.wild {
			x.once(m.shot)
		}
	}
	m.shot.forget()
	x.reset(m.shot, d)
	m.armed, m.wild = true, live && !time.Now().Before(due)
}
