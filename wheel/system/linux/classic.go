package linux

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

const (
	classicLevels = 5
	classicFirst  = 256       // number of slots of level 0
	classicRest   = 64        // number of slots of each level except level 0
	classicFar    = 1<<32 - 1 // longest delay that the wheel can represent, in ticks; a longer delay is reduced to it whenever the timer is placed
)

// classic is the wheel of Linux 4.7 and earlier, whose levels cascade.
type classic struct {
	core.LevelWheel
	clk     wheel.Tick // the kernel's timer_jiffies: the next tick to be processed, or Now if the wheel is empty
	from    wheel.Tick // first tick that ProcessTick has yet to process; set by AdvanceClock
	running bool       // whether ProcessTick is running
}

// NewClassic returns an empty wheel with its clock at start. It returns a *wheel.ParamError if
// start is out of range.
func NewClassic(start wheel.Tick) (wheel.Observable, error) {
	if err := core.CheckStart(start); err != nil {
		return nil, err
	}
	w := &classic{clk: start}
	w.Reached = start
	w.AddLevel(classicFirst, 1, start)
	for len(w.Levels) < classicLevels {
		w.AddLevel(classicRest, w.TopSpan(), start)
	}
	return w, nil
}

func buildClassic(_ catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return NewClassic(s.Start)
}

// Schedule adds the timer described by s in O(1). A timer that is already due fires at the next tick, so the number of
// runs that Schedule returns is always 0.
func (w *classic) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

// PlaceNode puts node n, which has index i in the arena, into the slot that the kernel's internal_add_timer would
// select. If the wheel was empty, and ProcessTick is not running, PlaceNode first moves w.clk to Now.
func (w *classic) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	if w.Arena.Live == 1 && !w.running {
		w.clk = w.Reached
	}
	l, index := w.target(n.Due)
	s := w.Put(&w.Arena, i, n, l, index)
	if w.Log != nil {
		w.EmitPlace(wheel.KindPlace, n, wheel.NoLevel, 0, int8(l), s, wheel.NoRounds)
	}
	return core.Placed
}

// target returns the level l for a timer due at tick e, and the index of its slot at that level, not reduced modulo the
// number of slots. Like the kernel, it compares the delay with the range of one level after another, finest first. It
// adds one comparison to the costs for each level that it passes over. For an overdue timer it returns the slot of
// w.clk, and for a timer beyond the range, the farthest slot.
func (w *classic) target(e wheel.Tick) (l int, index int64) {
	d := e - w.clk
	switch {
	case d < 0:
		e = w.clk
	case d > classicFar:
		d, e = classicFar, w.clk+classicFar
	}
	for l+1 < classicLevels && d >= w.Levels[l+1].Width {
		l++
	}
	w.Costs.Compared += int64(l)
	return l, w.Levels[l].Index(e)
}

// expiry returns the first tick, at or after from, at which the hand of any level reaches an
// occupied slot. ok is false if all slots are empty.
func (w *classic) expiry(from wheel.Tick) (best wheel.Tick, ok bool) {
	for i := range w.Levels {
		l := &w.Levels[i]
		hand := l.Index(from - 1)
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

// NextWork returns the tick at which the next occupied slot is processed, or 0 if all slots are
// empty. A slot whose tick has passed is processed at the next tick.
func (w *classic) NextWork() int64 {
	at, ok := w.expiry(w.clk)
	if !ok {
		return 0
	}
	return max(at, w.Reached+1)
}

// Next returns the tick at which the next occupied slot is processed. It returns false if all slots
// are empty.
func (w *classic) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return k, k > 0
}

// Advance processes all ticks up to tick to, inclusive, and appends the runs that fire to fired; see
// [wheel.Wheel].
func (w *classic) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// AdvanceClock moves the hands to tick k, and counts each slot that a hand passes as examined. Like
// the kernel, it counts nothing if the wheel is empty.
func (w *classic) AdvanceClock(k wheel.Tick) {
	switch {
	case k == w.Reached:
		return // tick k has been processed
	case w.Arena.Live == 0:
		w.Reached, w.clk = k, k
		return
	}
	w.Reached = k
	w.from = w.clk
	w.Costs.Slots += w.examined(w.clk, k)
	w.clk = k + 1
}

// examined returns the number of slots that the hands of all levels reach in the given range of
// ticks, both ends included.
func (w *classic) examined(from, to wheel.Tick) (count int64) {
	for i := range w.Levels {
		count += w.Levels[i].Index(to) - w.Levels[i].Index(from-1)
	}
	return count
}

// ProcessTick processes the occupied slots that the hands reached during the last call to
// AdvanceClock, and appends the runs that fire to fired.
func (w *classic) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	w.running = true
	for at, ok := w.expiry(w.from); ok && at <= w.Reached && w.Arena.Spend(1); at, ok = w.expiry(w.from) {
		fired = w.work(at, fired)
		w.from = at + 1
	}
	w.running = false
	w.clk = w.Reached + 1
	return fired
}

// work processes the given tick. First, the slots that the hands of levels 1 and up reach at that tick cascade, level
// by level. Then the timers in the level 0 slot fire, including those that have just cascaded into it. Before they
// fire, w.clk moves to the following tick, so the next runs of repeating timers are placed relative to that tick.
func (w *classic) work(at wheel.Tick, fired []wheel.Expiry) []wheel.Expiry {
	w.clk = at
	for i := 1; i < classicLevels && at&(w.Levels[i].Width-1) == 0; i++ {
		w.cascade(i, w.Levels[i].SlotOf(w.Levels[i].Index(at)))
	}
	w.clk = at + 1
	s := w.Levels[0].SlotOf(at)
	v := &w.Slots[s]
	here := len(v.IDs)
	if here == 0 || w.Arena.Aborted {
		return fired
	}
	if w.Log != nil {
		w.EmitHand(0, s, 0)
	}
	for k := range here {
		if !w.Arena.SpendStride(k, here) {
			return fired
		}
		if !v.Holds(&w.Arena, s, k) {
			continue
		}
		w.Costs.Touched++
		fired = w.Expire(w, v.IDs[k], w.Arena.At(v.IDs[k]), 0, s, fired)
	}
	v.CloseGaps(&w.Arena, s, 0, here)
	w.ReleaseEmpty(&w.Arena, 0, s)
	return fired
}

// cascade moves the timers in slot s of level l to the slots that their due ticks now require,
// usually at a finer level.
func (w *classic) cascade(l int, s uint32) {
	index := w.Levels[l].First + s
	v := &w.Slots[index]
	here := len(v.IDs)
	if here > 0 && w.Log != nil {
		w.EmitHand(int8(l), s, 0)
	}
	for k := range here {
		if !w.Arena.SpendStride(k, here) {
			return
		}
		if !v.Holds(&w.Arena, index, k) {
			continue
		}
		w.Costs.Touched++
		w.Costs.Moved++
		i := v.IDs[k]
		n := w.Arena.At(i)
		to, at := w.target(n.Due)
		slot := w.Put(&w.Arena, i, n, to, at)
		if w.Log != nil {
			w.EmitPlace(wheel.KindCascade, n, int8(l), s, int8(to), slot, wheel.NoRounds)
		}
	}
	v.CloseGaps(&w.Arena, index, 0, here)
	w.ReleaseEmpty(&w.Arena, l, index)
}

// IdlePeak returns the largest number of slots that the hands examine in any single tick after Now, up to and including
// tick to, and the first tick in which they examine that many. It returns 0, 0 if there is no such tick or the wheel is
// empty. If the wheel was still empty when the clock reached Now, the slots for tick Now are examined in the next tick
// and count as part of it.
func (w *classic) IdlePeak(to wheel.Tick) (int64, wheel.Tick) {
	if to <= w.Reached || w.Arena.Live == 0 {
		return 0, 0
	}
	next := w.Reached + 1
	peak, at := w.examined(w.clk, next), next
	for i := classicLevels - 1; i >= 0; i-- {
		l := &w.Levels[i]
		if l.Index(to) > l.Index(next) {
			if int64(i)+1 > peak {
				return int64(i) + 1, (l.Index(next) + 1) * l.Width
			}
			break
		}
	}
	return peak, at
}

// Clone returns an independent copy of the wheel, without its log.
func (w *classic) Clone() wheel.Observable {
	c := *w
	c.LevelWheel = w.LevelWheel.Copy()
	return &c
}

// Check verifies that every timer is in a valid slot. At level 0, the hand must reach the slot
// exactly at the timer's due tick, or at the next tick if the due tick has passed. At the other
// levels, the hand must reach the slot no later than the due tick and, except at the last level,
// less than one slot width before it.
func (w *classic) Check() error {
	c := core.Checker{Arena: &w.Arena}
	c.Levels(&w.LevelSet, func(i int, s int64, n *core.Node) bool {
		l := &w.Levels[i]
		hand := l.Index(w.clk - 1)
		at := (hand + 1 + (s-hand-1)&(l.N-1)) * l.Width
		if i == 0 {
			return at == n.Due || n.Due < at && at <= w.Reached+1
		}
		return at <= n.Due && (n.Due-at < l.Width || i == classicLevels-1)
	})
	return c.Done()
}
