package simple

import (
	"math"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Config holds the geometry of a simple wheel.
type Config struct {
	Slots    int        // number of slots, 1 to SlotsMax
	Width    wheel.Tick // base ticks per slot, 1 or more
	Start    wheel.Tick // initial tick of the clock
	Overflow bool       // whether timers beyond the range are kept on a side list instead of rejected
	Floor    bool       // whether due ticks are rounded down to a slot, so that timers can fire early but never late; otherwise they are rounded up
}

// simple is an array of slots and an optional side list for timers beyond the range.
type simple struct {
	core.Base
	n, u     int64 // number of slots, and base ticks per slot
	clock    int64 // current wheel tick: the clock in base ticks, divided by u and rounded down
	slots    []core.Slot
	side     core.Slot   // the side list
	first    int64       // lower bound for the wheel ticks at which timers on the side list are due
	occ      core.Bitmap // bitmap of the occupied slots
	freeList core.FreeList
	list     bool // whether there is a side list
	round    core.Rounding
}

// New returns an empty wheel with configuration c. It returns a *wheel.ParamError if a field of c
// is out of range.
func New(c Config) (wheel.Observable, error) {
	if err := core.CheckRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	w := &simple{n: int64(c.Slots), u: c.Width, clock: c.Start / c.Width, list: c.Overflow, round: core.Rounding(c.Floor)}
	w.Reached = c.Start
	w.slots = make([]core.Slot, c.Slots)
	w.occ = core.NewBitmap(c.Slots)
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(Config{int(p["slots"].(int64)), p["width"].(int64), s.Start, p["overflow"] == "list", bool(core.RoundingOf(p))})
}

// Schedule adds the timer described by s in O(1) time; see [wheel.Wheel] for the results.
func (w *simple) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

func (w *simple) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	e := w.round.Tick(n.Due, w.u)
	switch j := e - w.clock; {
	case j <= 0:
		return w.AtOnce(n, w.round.Reached(w.clock, w.u))
	case j >= w.n:
		if !w.list {
			return core.BadRange
		}
		if n.Slot = core.SideSlot; w.side.Live() == 0 || e < w.first {
			w.first = e
		}
		w.side.Add(&w.Arena, &w.freeList, i, n)
	default:
		n.Slot = uint32(e % w.n)
		w.slots[n.Slot].Add(&w.Arena, &w.freeList, i, n)
		w.occ.Set(n.Slot)
	}
	if w.Log != nil {
		level, s := w.where(n.Slot)
		w.EmitPlace(wheel.KindPlace, n, wheel.NoLevel, 0, level, s, wheel.NoRounds)
	}
	return core.Placed
}

// where converts the Slot field of a core.Node to the level and the slot number used in events: 0
// and the slot number, or -1 and 0 for a timer on the side list.
func (w *simple) where(slot uint32) (int8, uint32) {
	if slot == core.SideSlot {
		return -1, 0
	}
	return 0, slot
}

// Cancel removes timer t in O(1) time. It returns false if t is not scheduled.
func (w *simple) Cancel(t wheel.Timer) bool {
	n := w.Arena.Find(t)
	if n == nil {
		return false
	}
	w.Costs.Touched++
	w.Counts.Cancelled++
	if w.Log != nil {
		level, s := w.where(n.Slot)
		w.EmitCancel(n, level, s)
	}
	s, pos := n.Slot, n.Pos
	w.Arena.Release(t.Index(), n)
	if s == core.SideSlot {
		w.side.Remove(&w.Arena, pos)
	} else {
		w.slots[s].Remove(&w.Arena, pos)
		w.releaseEmpty(s)
	}
	return true
}

// releaseEmpty records in w.occ that slot s is empty, and moves the vector of the slot to w.freeList if it is large. If
// slot s is not empty, releaseEmpty does nothing.
func (w *simple) releaseEmpty(s uint32) {
	if v := &w.slots[s]; len(v.IDs) == 0 {
		v.IDs = w.freeList.Give(&w.Arena, v.IDs)
		w.occ.Clear(s)
	}
}

// NextWork returns the next wheel tick after the clock at which the hand reaches an occupied slot or a scan of the
// side list may move or fire a timer. It returns 0 if there is no such tick.
func (w *simple) NextWork() int64 {
	best := int64(0)
	if d := w.occ.Ahead(uint32(w.clock%w.n), w.n); d > 0 {
		best = w.clock + d
	}
	if w.side.Live() > 0 {
		if k := w.nextMove(); best == 0 || k < best {
			best = k
		}
	}
	return best
}

// nextMove returns the wheel tick of the next scan that may move or fire a timer on the side list, which must not be
// empty. The list is scanned whenever the hand reaches slot 0, and each scan moves the timers that are due in the
// revolution that begins. No timer on the list is due before wheel tick w.first, so the result is the first tick of the
// revolution that contains w.first or, if that tick has passed, the tick of the next scan. Earlier scans change
// nothing and emit no event, so AdvanceClock only adds their cost.
func (w *simple) nextMove() int64 { return max(w.first-w.first%w.n, w.turn()) }

// turn returns the wheel tick at which the hand next reaches slot 0.
func (w *simple) turn() int64 { return w.clock - w.clock%w.n + w.n }

// Next returns the base tick of the next visit to an occupied slot or of the next scan that may
// move or fire a timer on the side list, whichever is earlier. It returns false if there are no
// timers.
func (w *simple) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return k * w.u, k > 0
}

// Advance moves the hand to the target tick and appends an Expiry to fired for each run that fires; see
// [wheel.Wheel].
func (w *simple) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, w.u, to, fired, budget)
}

// AdvanceClock moves the hand over empty slots to wheel tick k and counts the cost of these slots. The side list is
// scanned once per revolution; AdvanceClock counts the cost of the scans that change nothing, and ProcessTick
// performs the others.
func (w *simple) AdvanceClock(k int64) {
	w.Costs.Slots += k - w.clock
	if side := int64(w.side.Live()); side > 0 {
		scans := min(k, w.nextMove()-1)/w.n - w.clock/w.n
		if scans > (core.TouchedMax-w.Costs.Touched)/side {
			w.Costs.Touched = max(w.Costs.Touched, core.TouchedMax)
		} else {
			w.Costs.Touched += scans * side
		}
	}
	w.clock = k
}

// ProcessTick scans the side list if a scan may move or fire a timer, and visits the slot under the
// hand. It appends the expired timers to fired.
func (w *simple) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	s := uint32(w.clock % w.n)
	here := len(w.slots[s].IDs)
	if s == 0 && w.side.Live() > 0 && w.first-w.clock < w.n {
		fired = w.scan(fired)
	}
	if here > 0 && !w.Arena.Aborted {
		fired = w.visit(s, here, fired)
	}
	return fired
}

// visit fires the timers in entries 0 to end−1 of slot s, which were there when the hand reached the slot. Timers
// added later remain. visit appends the runs that fire to fired and returns the extended slice.
func (w *simple) visit(s uint32, end int, fired []wheel.Expiry) []wheel.Expiry {
	if w.Log != nil {
		w.EmitHand(0, s, 0)
	}
	for k := 0; k < end; k++ {
		if !w.Arena.SpendStride(k, end) {
			return fired
		}
		if !w.slots[s].Holds(&w.Arena, s, k) {
			continue
		}
		w.Costs.Touched++
		i := w.slots[s].IDs[k]
		fired = w.Expire(w, i, w.Arena.At(i), 0, s, fired)
	}
	w.slots[s].CloseGaps(&w.Arena, s, 0, end)
	w.releaseEmpty(s)
	return fired
}

// scan examines every timer on the side list. Timers that are within range now move to their slot
// or fire. The others remain on the list and keep their order. scan appends the runs that fire to
// fired and returns the extended slice.
func (w *simple) scan(fired []wheel.Expiry) []wheel.Expiry {
	kept, here := 0, len(w.side.IDs)
	w.first = math.MaxInt64
	for k := 0; k < here; k++ {
		if !w.Arena.SpendStride(k, here) {
			return fired
		}
		if !w.side.Holds(&w.Arena, core.SideSlot, k) {
			continue
		}
		i := w.side.IDs[k]
		n := w.Arena.At(i)
		w.Costs.Touched++
		switch e := w.round.Tick(n.Due, w.u); {
		case e <= w.clock:
			fired = w.Expire(w, i, n, -1, 0, fired)
		case e-w.clock < w.n:
			w.cascade(i, n, uint32(e%w.n))
		default:
			w.side.IDs[kept] = i
			n.Pos = uint32(kept)
			kept++
			w.first = min(w.first, e)
		}
	}
	w.side.CloseGaps(&w.Arena, core.SideSlot, kept, here)
	return fired
}

// cascade moves node n, which has index i, from the side list to slot s.
func (w *simple) cascade(i uint32, n *core.Node, s uint32) {
	w.Costs.Moved++
	n.Slot = s
	w.slots[s].Add(&w.Arena, &w.freeList, i, n)
	w.occ.Set(s)
	if w.Log != nil {
		w.EmitPlace(wheel.KindCascade, n, -1, 0, 0, s, wheel.NoRounds)
	}
}

// IdlePeak returns the largest cost of a single tick in (Now, to], and the first tick with that cost;
// see [wheel.Wheel]. It assumes that no timer fires or moves. A tick costs 1 for the slot and, if the
// side list is scanned, 1 for each timer on the list.
func (w *simple) IdlePeak(to wheel.Tick) (int64, wheel.Tick) {
	if at := w.turn() * w.u; w.side.Live() > 0 && at <= to {
		return 1 + int64(w.side.Live()), at
	}
	return core.RingPeak(w.clock, w.u, to)
}

// Layout returns the layout of the wheel: a ring and, with Config.Overflow, the side list.
func (w *simple) Layout() wheel.Layout {
	l := wheel.Layout{Shape: wheel.ShapeRing, Levels: []wheel.Level{{Level: 0, Slots: int(w.n), Width: w.u}}}
	if w.list {
		l.Levels = append(l.Levels, wheel.Level{Level: -1, Slots: 0, Width: 0})
	}
	return l
}

// AppendState appends the side list and the occupied slots to s, and sets s.Counts and s.Live. It
// includes at most limit timers of the side list and of each slot, or all if limit is AllEntries.
func (w *simple) AppendState(s *wheel.State, limit int) {
	w.AppendLayout(s, w.Layout())
	core.AppendSlot(s, &w.Arena, wheel.Place{Level: -1}, core.SideSlot, &w.side, nil, limit)
	s.Places = slices.Grow(s.Places, w.occ.Count())
	for i := w.occ.Next(0); i >= 0; i = w.occ.Next(uint32(i) + 1) {
		core.AppendSlot(s, &w.Arena, wheel.Place{Slot: uint32(i)}, uint32(i), &w.slots[i], nil, limit)
	}
}

// Clone returns an independent copy of the wheel, without its log.
func (w *simple) Clone() wheel.Observable {
	c := *w
	c.Base, c.side, c.occ, c.freeList = w.Base.Copy(), w.side.Copy(), w.occ.Clone(), core.FreeList{}
	c.slots = core.CloneSlots(&c.Arena, w.slots, int(w.n))
	return &c
}

// Bytes returns the memory used by the arena, the slots, the side list and the bitmap of occupied
// slots, in bytes.
func (w *simple) Bytes() int64 {
	return w.Arena.Bytes() + core.SlotBytes(w.slots) + w.freeList.Bytes() + w.side.Bytes() + w.occ.Bytes()
}

// Check verifies the arena, the side list and every slot. Each timer must be in the slot of its due
// tick or on the side list. Timers on the side list must be due at the next scan or later.
func (w *simple) Check() error {
	c := core.Checker{Arena: &w.Arena}
	c.Slot(&w.side, core.SideSlot, func(n *core.Node) bool { return w.round.Tick(n.Due, w.u) >= max(w.first, w.turn()) })
	for s := range w.slots {
		c.Slot(&w.slots[s], uint32(s), func(n *core.Node) bool {
			e := w.round.Tick(n.Due, w.u)
			return e > w.clock && e-w.clock < w.n && e%w.n == int64(s)
		})
		c.Occupied(&w.occ, uint32(s), len(w.slots[s].IDs) > 0)
	}
	return c.Done()
}

// NeverEarly reports whether no timer fires before its due tick. Timers can fire early if
// Config.Floor is set.
func (w *simple) NeverEarly() bool { return !bool(w.round) }
