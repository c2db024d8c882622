package engine

import (
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/port"
)

// Methods of a lane for wheels whose published code depends on what drives it.

// driven holds the wheel of a lane as a value of each interface of package port. A field is nil if
// the wheel does not implement the interface. The type assertions are made once per wheel because they are slow
// in a browser.
type driven struct {
	counter  port.TickCounter
	wallSet  port.WallClockSetter
	remover  port.Remover
	callSet  port.CallTimeSetter
	hand     port.HandClock
	holder   port.Interleaver
	keyed    port.Keyed
	replayed port.ReplayCoster
	dated    port.CreationSetter
	resetter port.Resetter
}

// drive makes w the lane's wheel and makes w report its events to the lane.
func (l *Lane) drive(w wheel.Observable) {
	l.Wheel = w
	l.counter, _ = w.(port.TickCounter)
	l.wallSet, _ = w.(port.WallClockSetter)
	l.remover, _ = w.(port.Remover)
	l.callSet, _ = w.(port.CallTimeSetter)
	l.hand, _ = w.(port.HandClock)
	l.holder, _ = w.(port.Interleaver)
	l.keyed, _ = w.(port.Keyed)
	l.replayed, _ = w.(port.ReplayCoster)
	l.dated, _ = w.(port.CreationSetter)
	l.resetter, _ = w.(port.Resetter)
	w.Observe(&l.Log)
	w.SetHook(l.pause)
}

// move advances the wheel to an absolute tick and appends the expiries to fired. If the wheel is a
// port.TickCounter, which counts the ticks of its driver, move calls the wheel's Resume method after each
// stall.
func (l *Lane) move(to wheel.Tick, fired []wheel.Expiry) []wheel.Expiry {
	if l.counter == nil {
		fired, _ = l.Wheel.Advance(to, fired, 0)
		return fired
	}
	for {
		from, end, stalled := l.Program.StallAfter(l.Wheel.Now() - l.Program.Start)
		if !stalled || end+l.Program.Start > to {
			fired, _ = l.counter.Advance(to, fired, 0)
			return fired
		}
		fired, _ = l.counter.Advance(from+l.Program.Start, fired, 0)
		var status wheel.Status
		if fired, status = l.counter.Resume(end+l.Program.Start, fired); status == wheel.Stuck || l.Err != nil {
			return fired
		}
	}
}

// resumes returns the first tick after the current or next stall of the driver if the wheel is a
// port.TickCounter, which always has work in that tick. If there is no such stall, or for any other wheel,
// resumes returns Program.Until+1.
func (l *Lane) resumes() int64 {
	if _, end, stalled := l.Program.StallAfter(l.tick - 1); stalled {
		if l.counter != nil {
			return end
		}
	}
	return l.Program.Until + 1
}

// wallMax is the maximum number of base ticks by which the wall clock can be ahead of virtual time or behind it.
const wallMax = wheel.TickMax / 2

// jumpWall moves the wall clock forward by the given number of base ticks, or backward if the number is
// negative. Only some wheels read the wall clock.
func (l *Lane) jumpWall(by int64) {
	was := l.wall
	l.wall = min(max(was+by, -wallMax), wallMax)
	if l.wallSet != nil {
		l.wallSet.MoveWallClock(l.wall - was)
	}
}

// remove cancels timer id and reports whether the timer was pending. If the wheel is a port.Remover, whose published
// code removes a timer without checking that it exists, remove calls the wheel's Remove method instead of Cancel.
func (l *Lane) remove(id uint32) bool {
	if l.remover != nil {
		return l.remover.Remove(l.handles.at(id), id)
	}
	return l.cancel(id)
}

// reset executes op, a reset, on a wheel that is a port.Resetter.
func (l *Lane) reset(op *program.Planned) {
	t := l.handles.at(op.Target)
	if !l.Wheel.Armed(t) {
		l.miss(op.Target, wheel.CodeReset)
	}
	h, _, _ := l.resetter.Reset(t, wheel.Spec{Due: l.Program.Start + op.At + op.Delay, Key: op.ID, Every: op.Every, Times: op.Times})
	l.handles.set(op.ID, h)
}

// called passes t, the tick in which the next operation is executed, to the wheel if the wheel is a
// port.CallTimeSetter. Such a wheel uses the time of the call even while its driver is stalled.
func (l *Lane) called(t int64) {
	if l.callSet != nil {
		l.callSet.SetCallTime(t + l.Program.Start)
	}
}

// clock returns the time that the lane's wheel has reached, in base ticks relative to the scenario's start. If
// the wheel is a port.HandClock, this is the time of its hand, which can lag behind.
func (l *Lane) clock() int64 {
	if l.hand != nil {
		return l.hand.HandTime() - l.Program.Start
	}
	return l.Wheel.Now() - l.Program.Start
}

// hold makes the wheel's Advance method return after one step if the program has another operation in tick t, so
// that the operation is executed before the next step. It is called before the wheel advances in tick t, and has
// no effect unless the wheel is a port.Interleaver.
func (l *Lane) hold(t int64) {
	if l.holder != nil {
		l.holder.Hold(l.next < len(l.Program.Ops) && l.Program.Ops[l.next].At == t)
	}
}

// arm schedules timer s, by name if the wheel identifies timers by name. It returns the handle and the
// number of runs that fired during the call.
func (l *Lane) arm(s wheel.Spec) (wheel.Timer, int) {
	var t wheel.Timer
	var runs int
	if l.keyed != nil {
		name := futureName
		if int(s.Key) <= l.Program.Timers() {
			name = l.Program.Name(s.Key)
		}
		t, runs, _ = l.keyed.ScheduleAs(name, s)
	} else {
		t, runs, _ = l.Wheel.Schedule(s)
	}
	return t, runs
}

// replace removes timer id because another timer with the same name is about to be scheduled.
func (l *Lane) replace(id uint32) {
	if l.keyed != nil {
		l.keyed.Replace(l.handles.at(id))
		return
	}
	l.cancel(id)
}

// FollowsQueue reports whether the lane's wheel has a delay queue and moves its clock only when it removes a
// slot from the queue. The lane must be in its initial state. FollowsQueue advances the wheel, so the lane
// must not be used afterwards.
func (l *Lane) FollowsQueue() bool {
	if !l.wakes {
		return false
	}
	before := l.Wheel.Now()
	l.Wheel.Advance(before+1, nil, 0)
	return l.Wheel.Now() == before
}
