package unsorted

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// list is an unordered linked list of timers.
type list struct {
	core.ListWheel
	clock   wheel.Tick
	soonest wheel.Tick // earliest due tick of all timers; 0 if it is unknown and must be searched for
}

// New returns an empty list with its clock at start. It returns a *wheel.ParamError if start is out
// of range.
func New(start wheel.Tick) (wheel.Observable, error) {
	if err := core.CheckStart(start); err != nil {
		return nil, err
	}
	w := &list{clock: start}
	w.Reached = start
	return w, nil
}

func build(_ catalog.Params, s catalog.Env) (wheel.Observable, error) { return New(s.Start) }

// Schedule adds the timer described by s in O(1) time; see [wheel.Wheel] for the results.
func (w *list) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

func (w *list) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	switch {
	case n.Due <= w.clock:
		return w.AtOnce(n, w.clock)
	case w.Arena.Live > wheel.LinearMax:
		return core.BadCapacity
	}
	if w.List.Count == 0 || w.soonest > n.Due {
		w.soonest = n.Due
	}
	w.List.Link(&w.Arena, i, n, 0)
	if w.Log != nil {
		w.EmitPlace(wheel.KindPlace, n, wheel.NoLevel, 0, 0, 0, wheel.NoRounds)
	}
	return core.Placed
}

// Cancel removes timer t in O(1) time. It returns false if t is not scheduled.
func (w *list) Cancel(t wheel.Timer) bool {
	n := w.Arena.Find(t)
	if n == nil {
		return false
	}
	w.CountCancel(n, 0)
	if n.Due == w.soonest {
		w.soonest = 0
	}
	w.List.Unlink(&w.Arena, n)
	w.Arena.Release(t.Index(), n)
	return true
}

// NextWork returns the earliest due tick, or 0 if the list is empty. It searches the list only if
// that tick is not known. The published scheme has no such function; it exists for
// [core.Base.Drive].
func (w *list) NextWork() int64 { return w.least(&w.Arena.Pace) }

// least returns the earliest due tick, or 0 if the list is empty. If the tick is not known, least
// searches the list. It calls p.Spend for each timer and returns 0 if Spend returns false. NextWork
// passes the Pace of the wheel, which calls the wheel's hook. Next must not call the hook, so it passes
// a zero Pace.
func (w *list) least(p *core.Pace) int64 {
	if w.List.Count == 0 {
		return 0
	}
	if w.soonest == 0 {
		w.soonest = wheel.TickMax
		for i := w.List.Head; i != 0; i = w.Arena.At(i).Pos {
			if !p.Spend(1) {
				return 0
			}
			w.soonest = min(w.soonest, w.Arena.At(i).Due)
		}
	}
	return w.soonest
}

// Next returns the earliest due tick. It returns false if the list is empty.
func (w *list) Next() (wheel.Tick, bool) { return w.least(&core.Pace{}), w.List.Count > 0 }

// Advance moves the clock to the target tick; see [wheel.Wheel]. Unlike the published scheme, it
// searches the list only at ticks at which a timer is due. For the other ticks it only adds the cost
// of a search.
func (w *list) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// AdvanceClock moves the clock to tick k. For each tick, it counts the head as examined once and
// every timer as touched once.
func (w *list) AdvanceClock(k wheel.Tick) {
	ticks := k - w.clock
	w.Costs.Slots += ticks
	if n := int64(w.List.Count); n > 0 && ticks > (core.TouchedMax-w.Costs.Touched)/n {
		w.Costs.Touched = max(w.Costs.Touched, core.TouchedMax)
	} else {
		w.Costs.Touched += ticks * n
	}
	w.clock = k
}

// ProcessTick fires the timers that are due at the current tick and appends them to fired. A timer that
// is scheduled during ProcessTick is added at the tail and is due later.
func (w *list) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	last := w.List.Tail
	for i, done := w.List.Head, false; !done && w.Arena.Spend(1); {
		n := w.Arena.At(i)
		next := n.Pos
		done = i == last
		if n.Due == w.clock {
			w.List.Unlink(&w.Arena, n)
			fired = w.Expire(w, i, n, 0, 0, fired)
		}
		i = next
	}
	w.soonest = 0
	return fired
}

// IdlePeak returns the cost of a tick at which no timer is due, and the tick after Now. The cost is 1 for
// the head and 1 for each timer. IdlePeak returns 0, 0 if the target tick is not after Now; see
// [wheel.Wheel].
func (w *list) IdlePeak(to wheel.Tick) (int64, wheel.Tick) {
	peak, at := core.RingPeak(w.clock, 1, to)
	if peak > 0 {
		peak += int64(w.List.Count)
	}
	return peak, at
}

// Clone returns an independent copy of the list, without its log.
func (w *list) Clone() wheel.Observable {
	c := *w
	c.ListWheel = w.ListWheel.Copy()
	return &c
}

// Check verifies that the links are correct, that no timer is overdue, and that the soonest field,
// if known, is correct.
func (w *list) Check() error {
	c := core.Checker{Arena: &w.Arena}
	least := wheel.TickMax
	c.Chain(&w.List, func(n *core.Node) {
		least = min(least, n.Due)
		if n.Due <= w.clock {
			c.Fail("timer %d was due at %d, the clock is %d", n.Key, n.Due, w.clock)
		}
	})
	if w.List.Count > 0 && w.soonest != 0 && w.soonest != least {
		c.Fail("the least due is %d, want %d", w.soonest, least)
	}
	return c.Done()
}
