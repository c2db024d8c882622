package sorted

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// sorted is a linked list of timers in order of due tick.
type sorted struct {
	core.ListWheel
	clock wheel.Tick
}

// New returns an empty list with its clock at start. It returns a *wheel.ParamError if start is out
// of range.
func New(start wheel.Tick) (wheel.Observable, error) {
	if err := core.CheckStart(start); err != nil {
		return nil, err
	}
	w := &sorted{clock: start}
	w.Reached = start
	return w, nil
}

func build(_ catalog.Params, s catalog.Env) (wheel.Observable, error) { return New(s.Start) }

// Schedule adds the timer described by s. It costs one comparison for each timer that comes before
// the new one, and one for the timer that follows it.
func (w *sorted) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

func (w *sorted) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	switch {
	case n.Due <= w.clock:
		return w.AtOnce(n, w.clock)
	case w.Arena.Live > wheel.LinearMax:
		return core.BadCapacity
	}
	next := w.search(n.Due)
	if w.Arena.Aborted {
		return core.BadAborted
	}
	w.List.Link(&w.Arena, i, n, next)
	if w.Log != nil {
		w.EmitInsert(n, wheel.NoLevel, 0, 0, next)
	}
	return core.Placed
}

// search returns the index of the first node that is due after the given tick, or 0 if there is none. If it is after the
// last node, search counts the comparisons without making them: a list of equal delays would otherwise be read to its
// end for each timer.
func (w *sorted) search(at wheel.Tick) uint32 {
	if tail := w.List.Tail; tail != 0 && w.Arena.At(tail).Due <= at {
		w.Costs.Compared += int64(w.List.Count)
		return 0
	}
	i := w.List.Head
	for i != 0 && w.Arena.Spend(1) {
		w.Costs.Compared++
		n := w.Arena.At(i)
		if n.Due > at {
			break
		}
		i = n.Pos
	}
	return i
}

// Cancel removes timer t in O(1) time. It returns false if t is not scheduled.
func (w *sorted) Cancel(t wheel.Timer) bool {
	n := w.Arena.Find(t)
	if n == nil {
		return false
	}
	w.CountCancel(n, 0)
	w.List.Unlink(&w.Arena, n)
	w.Arena.Release(t.Index(), n)
	return true
}

// NextWork returns the due tick of the first timer, or 0 if the list is empty.
func (w *sorted) NextWork() int64 {
	if w.List.Head == 0 {
		return 0
	}
	return w.Arena.At(w.List.Head).Due
}

// Next returns the due tick of the first timer. It returns false if the list is empty.
func (w *sorted) Next() (wheel.Tick, bool) { return w.NextWork(), w.List.Head != 0 }

// Advance fires the timers that are due by the target tick; see [wheel.Wheel] for fired and budget.
func (w *sorted) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// ProcessTick fires the timers that are due at the current tick, which are at the head, and appends them
// to fired.
func (w *sorted) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	for w.NextWork() == w.clock && w.Arena.Spend(1) {
		i := w.List.Head
		n := w.Arena.At(i)
		w.Costs.Touched++
		w.List.Unlink(&w.Arena, n)
		fired = w.Expire(w, i, n, 0, 0, fired)
	}
	return fired
}

// AdvanceClock moves the clock to tick k, and counts the head as examined once per tick.
func (w *sorted) AdvanceClock(k wheel.Tick) {
	w.Costs.Slots += k - w.clock
	w.clock = k
}

// IdlePeak returns the cost of a tick at which no timer fires, and the tick after Now. The cost is 1, for
// examining the head. IdlePeak returns 0, 0 if the target tick is not after Now; see [wheel.Wheel].
func (w *sorted) IdlePeak(to wheel.Tick) (int64, wheel.Tick) { return core.RingPeak(w.clock, 1, to) }

// Clone returns an independent copy of the list, without its log.
func (w *sorted) Clone() wheel.Observable {
	c := *w
	c.ListWheel = w.ListWheel.Copy()
	return &c
}

// Check verifies the links and the order of the list.
func (w *sorted) Check() error {
	c := core.Checker{Arena: &w.Arena}
	last := w.clock + 1
	c.Chain(&w.List, func(n *core.Node) {
		if n.Due < last {
			c.Fail("timer %d, due %d, is after due %d", n.Key, n.Due, last)
		}
		last = n.Due
	})
	return c.Done()
}
