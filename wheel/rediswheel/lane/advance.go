package lane

import (
	"errors"

	"github.com/wheelscope/wheelscope/wheel"
)

// following returns the next Unix time, in nanoseconds, at which the worker finds something to do. It returns
// false if there is no such time or the lane has stopped.
func (l *Lane) following() (int64, bool) {
	if !l.nextCached {
		l.nextWork, l.hasNext = l.rule.next()
		l.nextCached = true
	}
	return l.nextWork, l.hasNext && l.err == nil
}

// Next returns the next tick at which the worker finds something to do. It returns false if there is no
// such tick or the lane has stopped.
func (l *Lane) Next() (wheel.Tick, bool) {
	at, ok := l.following()
	return max(l.tickOf(at), l.now), ok
}

// Advance advances the lane to tick to, as described in [wheel.Wheel]. The worker polls at its own times,
// possibly several times within one tick. A poll that finds nothing only adds to the cost. If the budget is
// used up within a tick, Advance completes the tick before it returns [wheel.Budget].
func (l *Lane) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	to = min(to, wheel.TickMax)
	if to < l.now {
		return fired, wheel.Done
	}
	from := l.cost.Total()
	for l.err == nil {
		at, ok := l.following()
		if !ok || at > l.ns(to) {
			break
		}
		t := max(l.tickOf(at), l.now)
		if budget > 0 && t > l.now && l.cost.Total()-from >= int64(budget) {
			return fired, wheel.Budget
		}
		l.now = t
		fired = l.step(at, fired)
	}
	l.now = to
	if l.err != nil {
		return fired, l.status()
	}
	l.rule.pass(l.ns(to))
	return fired, wheel.Done
}

// step runs the worker's poll at the Unix time now, in nanoseconds, and appends the expired timers to fired.
func (l *Lane) step(now int64, fired []wheel.Expiry) []wheel.Expiry {
	l.rule.pass(now - 1)
	l.nextCached = false
	l.server.set(now)
	return l.rule.work(now, fired)
}

// Resume is called instead of Advance after the whole process was suspended; see [port.TickCounter]. The worker
// polls at most once, however many polls it has missed, because a [time.Ticker] drops ticks that are not
// received.
func (l *Lane) Resume(to wheel.Tick, fired []wheel.Expiry) ([]wheel.Expiry, wheel.Status) {
	to = min(to, wheel.TickMax)
	if to <= l.now || l.err != nil {
		return l.Advance(to, fired, 0)
	}
	l.now = to
	l.nextCached = false
	at := l.ns(to)
	l.server.set(at)
	fired = l.rule.wake(at, fired)
	if l.err != nil {
		return fired, l.status()
	}
	return fired, wheel.Done
}

// IdlePeak implements [wheel.Wheel]. It returns the largest cost of a single tick in (Now, to], and the first
// tick with that cost. It assumes that the worker finds no tasks in these ticks. It returns 0, 0 if no tick
// costs anything or the lane has stopped.
func (l *Lane) IdlePeak(to wheel.Tick) (int64, wheel.Tick) {
	if l.err != nil {
		return 0, 0
	}
	return l.rule.idlePeak(to)
}

// fail stops the lane with err. It does nothing if err is nil or the lane has already stopped.
func (l *Lane) fail(err error) {
	if err == nil || l.err != nil {
		return
	}
	l.err = err
	if !l.aborted() {
		l.finding(wheel.CodeStuck, 0, 1, 0)
	}
}

// aborted reports whether the lane has stopped because its hook (see SetHook) returned false.
func (l *Lane) aborted() bool { return errors.Is(l.err, wheel.ErrAborted) }

// status returns the status that Advance returns after the lane has stopped: Aborted if its hook has stopped
// it, otherwise Stuck.
func (l *Lane) status() wheel.Status {
	if l.aborted() {
		return wheel.Aborted
	}
	return wheel.Stuck
}

// refusal returns the error that Schedule returns after the lane has stopped: ErrAborted if its hook has
// stopped it, otherwise ErrFault.
func (l *Lane) refusal() error {
	if l.aborted() {
		return wheel.ErrAborted
	}
	return wheel.ErrFault
}
