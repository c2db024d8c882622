package wheeltest

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// random lists the properties that perform random operations and compare the results with a model.
// In the model a timer is either pending, with one due time, or not pending.
var random = []Property{
	{
		Name: "random operations", Rule: "whatever is armed, stopped and reset: each timer fires once, when it is due, and only if it is armed",
		ops: true, body: randomOperations,
	},
}

// Parameters of random operations.
const (
	opsDrawn  = 60 // number of random operations with which a property is checked
	opsTimers = 12 // number of different timer names
	opsSpread = 40 // exclusive upper bound of most delays, in ticks; see draw
)

// draw returns opsDrawn random operations. Their times need not be multiples of a tick. If resets is
// set, some of them are resets. If far is set, some delays are longer than opsSpread ticks.
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
	timer     *testTimer
	armed     bool // whether the timer was scheduled and has not been stopped since, which means that it must fire once
	uncertain bool // whether the timer may fire but need not, because an operation came close to its due time
}

// ledger is the expected state of all timers while random operations are performed.
type ledger struct {
	names map[string]*model // the latest timer with each name
	all   []*model          // all timers, in order of scheduling
	last  time.Time         // latest due time of all timers
}

func randomOperations(x *checker) {
	l := ledger{names: map[string]*model{}, last: x.begun}
	for _, op := range x.ops {
		x.pass(op.At - time.Since(x.begun))
		l.step(x, op)
	}
	x.pass(time.Until(l.last))
	x.settle()
	for _, m := range l.all {
		switch {
		case m.uncertain:
		case m.armed:
			x.checkFired(m.timer)
		default:
			x.checkNotFired(m.timer, "Stop had returned true")
		}
	}
}

// step performs operation op, checks its result against the model of the timer, and updates the
// model.
func (l *ledger) step(x *checker, op Op) {
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
		m = &model{timer: x.after(op.Delay), armed: true}
		l.names[op.Timer] = m
		l.all = append(l.all, m)
	}
	if m.timer.due.After(l.last) {
		l.last = m.timer.due
	}
}

// live reports whether, according to the model, the timer is scheduled and not due yet.
func (m *model) live() bool { return m.armed && time.Now().Before(m.timer.due) }

// stop stops the timer and checks the result against the model. From the due time until the end of
// the permitted lateness, Stop may return either value, and the model is updated accordingly. The
// same applies if the due time passes during the call.
func (m *model) stop(x *checker) {
	live := m.live()
	near := m.armed && (live || time.Since(m.timer.due) <= x.slack())
	stopped := x.stop(m.timer)
	near = near && !m.live()
	if x.config.mute {
		stopped = live
		if near { // it can't be known
			m.uncertain = true
		}
	}
	if !near {
		x.checkAnswer("Stop of "+m.timer.name+m.state(live), stopped, live)
	}
	if stopped {
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

// reset reschedules the timer with delay d. If the timer was already due, reset first checks that it
// has fired. If it becomes due during the call to Reset, it may also fire for the old due time.
func (m *model) reset(x *checker, d time.Duration) {
	live, due := m.live(), m.timer.due
	if m.armed && !live {
		x.settle()
		if !m.uncertain {
			x.checkFired(m.timer)
		}
	}
	m.timer.forget()
	x.reset(m.timer, d)
	m.armed, m.uncertain = true, live && !time.Now().Before(due)
}
