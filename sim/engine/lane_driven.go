package engine

import "github.com/wheelscope/wheelscope/wheel"

// Methods of a lane for wheels whose published code depends on what drives it.

// driven holds a lane's wheel as the optional interfaces that it implements; the others are nil. A lane
// asserts them once, since an assertion takes longer than an operation of many wheels in a browser.
type driven struct {
	counter  wheel.TickCounter
	wallSet  wheel.WallClockSetter
	remover  wheel.Remover
	callSet  wheel.CallTimeSetter
	hand     wheel.HandClock
	holder   wheel.Interleaver
	keyed    wheel.Keyed
	replayed wheel.ReplayCoster
}

// drive makes w the wheel of the lane.
func (l *Lane) drive(w wheel.Wheel) {
	l.Wheel = w
	l.counter, _ = w.(wheel.TickCounter)
	l.wallSet, _ = w.(wheel.WallClockSetter)
	l.remover, _ = w.(wheel.Remover)
	l.callSet, _ = w.(wheel.CallTimeSetter)
	l.hand, _ = w.(wheel.HandClock)
	l.holder, _ = w.(wheel.Interleaver)
	l.keyed, _ = w.(wheel.Keyed)
	l.replayed, _ = w.(wheel.ReplayCoster)
	w.Observe(&l.Log)
	w.SetHook(l.pause)
}

// move advances the wheel to the absolute tick to and appends the expiries to fired. After each stall of the
// driver, it calls Resume of a wheel that counts ticks.
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

// resumes returns the tick at which a wheel that counts ticks continues after the current stall of its
// driver, or Program.Until+1 if there is none. The wheel's Next need not include that tick.
func (l *Lane) resumes() int64 {
	if _, end, stalled := l.Program.StallAfter(l.tick - 1); stalled {
		if l.counter != nil {
			return end
		}
	}
	return l.Program.Until + 1
}

// wallMax is the largest lead or lag of the wall clock in base ticks.
const wallMax = wheel.TickMax / 2

// jumpWall moves the wall clock forward by `by` base ticks (backward if negative) for wheels that read it.
func (l *Lane) jumpWall(by int64) {
	was := l.wall
	l.wall = min(max(was+by, -wallMax), wallMax)
	if l.wallSet != nil {
		l.wallSet.MoveWallClock(l.wall - was)
	}
}

// remove cancels timer id, without checking that it exists if the wheel's published code does not check it
// either. It reports whether the timer was pending.
func (l *Lane) remove(id uint32) bool {
	if l.remover != nil {
		return l.remover.Remove(l.handles.at(id), id)
	}
	return l.cancel(id)
}

// called sets the tick of the following calls, for wheels whose operations are executed even if the
// driver is stalled.
func (l *Lane) called(t int64) {
	if l.callSet != nil {
		l.callSet.SetCallTime(t + l.Program.Start)
	}
}

// clock returns the time of the lane's own clock in base ticks relative to start.
func (l *Lane) clock() int64 {
	if l.hand != nil {
		return l.hand.HandTime() - l.Program.Start
	}
	return l.Wheel.Now() - l.Program.Start
}

// hold reports to a wheel that interleaves operations with its work whether an operation follows at tick
// t.
func (l *Lane) hold(t int64) {
	if l.holder != nil {
		l.holder.Hold(l.Next < len(l.Program.Ops) && l.Program.Ops[l.Next].At == t)
	}
}

// arm schedules a timer. It passes the name of the timer if the wheel uses names. It returns the handle and
// the number of runs that fired at once.
func (l *Lane) arm(s wheel.Spec) (wheel.Timer, int) {
	var t wheel.Timer
	var runs int
	if l.keyed != nil {
		t, runs, _ = l.keyed.ScheduleAs(l.Program.Name(s.Key), s)
	} else {
		t, runs, _ = l.Wheel.Schedule(s)
	}
	return t, runs
}

// replace removes timer id because the timer with its name is set again.
func (l *Lane) replace(id uint32) {
	if l.keyed != nil {
		l.keyed.Replace(l.handles.at(id))
		return
	}
	l.cancel(id)
}

// FollowsQueue reports whether the lane's clock only moves when the head of its delay queue leaves the
// queue. It advances the lane, which must be before its first event.
func (l *Lane) FollowsQueue() bool {
	if !l.wakes {
		return false
	}
	before := l.Wheel.Now()
	l.Wheel.Advance(before+1, nil, 0)
	return l.Wheel.Now() == before
}
