package linux

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

const (
	linuxBits  = 6 // each level has 1<<linuxBits = 64 slots
	linuxShift = 3 // a slot is 1<<linuxShift = 8 times as wide as one of the next finer level
)

// linux is the wheel of Linux 4.8 and later, whose levels do not cascade.
type linux struct {
	core.LevelWheel
	clk wheel.Tick // the kernel's base.clk: the tick after the last one processed; PlaceNode raises it to Now
}

// New returns an empty wheel of 8 or 9 levels, with its clock at start. (The kernel has 8 if it
// ticks at most 100 times a second.) It returns a *wheel.ParamError if an argument is invalid.
func New(levels int, start wheel.Tick) (wheel.Observable, error) {
	if levels != 8 && levels != 9 {
		return nil, &wheel.ParamError{Name: "levels", Found: fmt.Sprint(levels), Want: "%d or %d", Args: []any{8, 9}}
	}
	if err := core.CheckStart(start); err != nil {
		return nil, err
	}
	w := &linux{clk: start}
	w.Reached = start
	for l := range levels {
		w.AddLevel(1<<linuxBits, 1<<(linuxShift*l), start)
	}
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(int(p["levels"].(int64)), s.Start)
}

// Schedule adds the timer described by s in O(1). A timer that is already due fires at the next tick, so the number of
// runs that Schedule returns is always 0.
func (w *linux) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

// PlaceNode puts node n, which has index i in the arena, into the slot that the kernel's
// calc_wheel_index would select. It first raises w.clk to Now, so that the delay is not computed
// from a clock that is behind.
func (w *linux) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	w.clk = max(w.clk, w.Reached)
	l, index := w.target(n.Due)
	slot := w.Levels[l].First + w.Levels[l].SlotOf(index)
	e := wheel.Event{Kind: wheel.KindPlace, ID: n.Key, Due: n.Due, Run: w.Arena.Run(n), X: wheel.NoRounds,
		FromLevel: wheel.NoLevel, ToLevel: int8(l), ToSlot: slot - w.Levels[l].First}
	if w.Log != nil {
		e.Before = w.head(slot, i)
	}
	w.Put(&w.Arena, i, n, l, index)
	if w.Log != nil {
		w.Emit(e)
	}
	return core.Placed
}

// target returns the level l for a timer due at tick e, and the index, not reduced modulo the number of slots, of the
// first slot of that level that begins after e. For an overdue timer it returns the next slot of level 0, and for a
// timer beyond the range of the wheel, a slot at the end of the last level.
func (w *linux) target(e wheel.Tick) (l int, index int64) {
	top := len(w.Levels) - 1
	switch d := e - w.clk; {
	case d < 0:
		return 0, w.clk
	case d >= levelStart(top+1):
		e = w.clk + levelStart(top+1) - w.Levels[top].Width
		l = top
	default:
		for l < top && d >= levelStart(l+1) {
			l++
		}
	}
	w.Costs.Compared += int64(l)
	return l, w.Levels[l].Index(e) + 1
}

// levelStart returns the shortest delay of timers at level l, in ticks: 63 << (3*(l-1)), or 0 for
// level 0.
func levelStart(l int) wheel.Tick {
	if l == 0 {
		return 0
	}
	return (1<<linuxBits - 1) << (linuxShift * (l - 1))
}

// head returns the key of the most recently added timer in w.Slots[slot], ignoring the timer with index i, which is
// being placed. It returns 0 if there is no other timer.
func (w *linux) head(slot, i uint32) uint32 {
	v := &w.Slots[slot]
	for k := len(v.IDs) - 1; k >= 0; k-- {
		if !w.Arena.Spend(1) {
			return 0
		}
		if v.IDs[k] != i && v.Holds(&w.Arena, slot, k) {
			return w.Arena.At(v.IDs[k]).Key
		}
	}
	return 0
}

// expiry returns the first tick, at or after w.clk, at which an occupied slot of any level begins.
// ok is false if all slots are empty.
func (w *linux) expiry() (best wheel.Tick, ok bool) {
	for i := range w.Levels {
		l := &w.Levels[i]
		hand := l.Index(w.clk - 1)
		d := l.Occupied.Ahead(l.SlotOf(hand), l.N)
		if d == 0 {
			continue
		}
		if at := (hand + d) * l.Width; !ok || at < best {
			best, ok = at, true
		}
	}
	return best, ok
}

// NextWork returns the tick at which the timers of the next occupied slot fire, or 0 if all slots
// are empty. If the tick at which the slot begins has passed, they fire at the next tick.
func (w *linux) NextWork() int64 {
	at, ok := w.expiry()
	if !ok {
		return 0
	}
	return max(at, w.Reached+1)
}

// Next returns the tick at which the timers of the next occupied slot fire. It returns false if all
// slots are empty.
func (w *linux) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return k, k > 0
}

// Advance processes the occupied slots that begin at or before tick to, and appends the runs that
// fire to fired; see [wheel.Wheel].
func (w *linux) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// AdvanceClock moves Now to tick k at no cost: the kernel does not examine empty slots, but only
// compares its clock with the tick of the next expiry.
func (w *linux) AdvanceClock(k wheel.Tick) { w.Reached = k }

// ProcessTick fires the timers of all slots that begin at or before Now, like the kernel's
// __run_timers, and appends them to fired.
func (w *linux) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	for at, ok := w.expiry(); ok && at <= w.Reached && w.Arena.Spend(1); at, ok = w.expiry() {
		fired = w.collect(at, fired)
	}
	return fired
}

// collect fires the timers of the slots that begin at the given tick, coarsest level first. Before they fire, w.clk
// moves to the following tick, so the next runs of repeating timers are placed relative to that tick.
func (w *linux) collect(at wheel.Tick, fired []wheel.Expiry) []wheel.Expiry {
	var here [9]int
	levels := 0
	for ; levels < len(w.Levels) && at&(w.Levels[levels].Width-1) == 0; levels++ {
		l := &w.Levels[levels]
		here[levels] = len(w.Slots[l.First+l.SlotOf(l.Index(at))].IDs)
	}
	w.clk = at + 1
	for i := levels - 1; i >= 0; i-- {
		if here[i] > 0 && !w.Arena.Aborted {
			l := &w.Levels[i]
			fired = w.fire(i, l.SlotOf(l.Index(at)), here[i], fired)
		}
	}
	return fired
}

// fire fires the timers in slot s of level l, last entry first, and appends their runs to fired. It ignores the entries
// at index end and above, which were added while timers fired at the current tick.
func (w *linux) fire(l int, s uint32, end int, fired []wheel.Expiry) []wheel.Expiry {
	index := w.Levels[l].First + s
	w.Costs.Slots++
	if w.Log != nil {
		w.EmitHand(int8(l), s, 0)
	}
	for k := end - 1; k >= 0; k-- {
		if !w.Arena.Spend(1) {
			return fired
		}
		if !w.Slots[index].Holds(&w.Arena, index, k) {
			continue
		}
		w.Costs.Touched++
		i := w.Slots[index].IDs[k]
		fired = w.Expire(w, i, w.Arena.At(i), int8(l), s, fired)
	}
	w.Slots[index].CloseGaps(&w.Arena, index, 0, end)
	w.ReleaseEmpty(&w.Arena, l, index)
	return fired
}

// IdlePeak implements [wheel.Observable.IdlePeak]. It returns 0, 0, because a tick at which no occupied slot is processed
// costs nothing.
func (w *linux) IdlePeak(wheel.Tick) (int64, wheel.Tick) { return 0, 0 }

// AppendState appends the occupied slots to s, finest level first. Each slot includes at most limit
// timers, starting with the most recently added one. AppendState also sets s.Counts and s.Live; see
// [wheel.Wheel].
func (w *linux) AppendState(s *wheel.State, limit int) {
	w.AppendLayout(s, w.Layout())
	for i := range w.Levels {
		l := &w.Levels[i]
		for k := range uint32(l.N) {
			w.appendReversed(s, wheel.Place{Level: int8(i), Slot: k}, l.First+k, limit)
		}
	}
}

// appendReversed appends slot w.Slots[index] to s. p contains the level and the number of the slot. At
// most limit timers are included, starting with the most recently added one. If the slot is empty,
// appendReversed does nothing.
func (w *linux) appendReversed(s *wheel.State, p wheel.Place, index uint32, limit int) {
	v := &w.Slots[index]
	if p.Count = v.Live(); p.Count == 0 {
		return
	}
	for k := len(v.IDs) - 1; k >= 0 && len(p.Entries) != limit; k-- {
		if v.Holds(&w.Arena, index, k) {
			p.Entries = append(p.Entries, w.Arena.Entry(v.IDs[k], wheel.NoRounds))
		}
	}
	s.Places = append(s.Places, p)
}

// Clone returns an independent copy of the wheel, without its log.
func (w *linux) Clone() wheel.Observable {
	c := *w
	c.LevelWheel = w.LevelWheel.Copy()
	return &c
}

// Check verifies that every timer is in a valid slot: one that is processed after the timer's due
// tick, but no more than one slot width later. There are two exceptions: a timer beyond the wheel's
// range is put at the end of the last level and may be processed early, and a timer that was
// already due when it was scheduled may be in any slot of level 0.
func (w *linux) Check() error {
	c := core.Checker{Arena: &w.Arena}
	top := len(w.Levels) - 1
	c.Levels(&w.LevelSet, func(i int, s int64, n *core.Node) bool {
		l := &w.Levels[i]
		at := (l.Index(w.clk-1) + 1 + (s-l.Index(w.clk-1)-1)&(l.N-1)) * l.Width
		switch {
		case n.Due >= at:
			return i == top // put at the end of the last level
		case i == 0:
			return true // the timer was already due when it was scheduled
		}
		return at-n.Due <= l.Width
	})
	return c.Done()
}

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *classic) NeverEarly() bool { return true }
