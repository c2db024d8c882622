package engine

import (
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// Future is what would happen to a timer that is scheduled.
type Future struct {
	// Kind is the kind of the event that ends the scheduling: wheel.KindPlace, wheel.KindPend, wheel.KindReject or
	// wheel.KindExpire. If there is none, because the wheel has stopped after a fault or is an own wheel, which has answered
	// all calls before, it is wheel.KindFinding.
	Kind   wheel.Kind
	Level  int8   // level of the place of the timer; wheel.NoLevel if it is in none
	Slot   uint32 // slot of the place
	Rounds int64  // number of revolutions that the timer waits, or -1 if the lane does not count them
	Code   uint8  // reason of a rejection
}

// Future returns what would happen to a timer that is scheduled, with the given delay, after all operations of the
// lane's last complete tick. It runs a copy of the lane, which takes as much memory as the lane and observes the pace
// set by Engine.Bind. It returns the error that stopped the copy, if any.
func (l *Lane) Future(delay int64) (Future, error) {
	f := Future{Kind: wheel.KindFinding, Level: wheel.NoLevel, Rounds: -1}
	if _, own := l.Wheel.(*recorded.Wheel); own {
		return f, nil // its source has ended
	}
	c := l.clone()
	c.pace = l.pace
	c.open(l.tick)
	id := uint32(l.Program.Timers() + 1)
	c.handles.resize(int(id) + 1)
	take := func() {
		for i := range c.Log.Events {
			if ev := &c.Log.Events[i]; ev.ID == id {
				f.follow(ev)
			}
		}
		c.Log.Events = c.Log.Events[:0]
	}
	c.Log.Keep, c.Log.Full = true, take
	c.called(l.tick)
	c.schedule(&program.Planned{At: l.tick, Delay: delay, ID: id, Kind: scenario.OpSchedule})
	if c.wakes && c.Err == nil {
		c.wake(l.tick)
	}
	take()
	return f, c.Err
}

// futureName is the name of the timer in [Lane.Future]. No timer of a scenario is likely to have it.
const futureName = "\x00future"

// follow changes f as event ev of its timer says.
func (f *Future) follow(ev *wheel.Event) {
	switch ev.Kind {
	case wheel.KindPlace:
		f.Kind, f.Level, f.Slot, f.Rounds = ev.Kind, ev.ToLevel, ev.ToSlot, max(ev.X, -1)
	case wheel.KindCascade, wheel.KindMove:
		f.Level, f.Slot = ev.ToLevel, ev.ToSlot
	case wheel.KindPend:
		f.Kind, f.Level, f.Slot = ev.Kind, wheel.NoLevel, 0
	case wheel.KindReject:
		f.Kind, f.Level, f.Code = ev.Kind, wheel.NoLevel, ev.Code
	case wheel.KindExpire:
		f.Kind, f.Level, f.Slot, f.Rounds = ev.Kind, wheel.NoLevel, 0, -1
	}
}
