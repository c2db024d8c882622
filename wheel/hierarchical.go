package wheel

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Placement says which level a timer goes to.
type Placement uint8

const (
	ByDistance Placement = iota // the lowest level that reaches it
	ByDigits                    // the highest level whose index differs from the clock's
)

// Migration says how often a timer moves to a finer level (Nichols' variants).
type Migration uint8

const (
	MigrateFull Migration = iota // down to level 0: exact
	MigrateOne                   // once, to the level below
	MigrateNone                  // never: fires in its first slot
)

// Rounding says how MigrateOne and MigrateNone bring a due tick to a slot.
type Rounding uint8

const (
	RoundFloor Rounding = iota
	RoundCeil
	RoundNearest // half up
)

// HierarchicalConfig is the geometry of a hierarchical wheel.
type HierarchicalConfig struct {
	Slots     []int // of each level, finest first; one size with Grow
	Grow      bool  // start with one level, add more of its size as timers need them, to LevelsMax
	Width     Tick  // base ticks a slot of level 0, 1 or more
	Start     Tick  // the clock at the beginning
	Placement Placement
	Migration Migration
	Round     Rounding
}

// Hierarchical is Scheme 7 of Varghese and Lauck (1987, section 6.2): wheels of
// which each slot spans the whole of the next finer one. With 64 slots a level
// and a width of 1 ms:
//
//	level   slot       range
//	0       1 ms       64 ms
//	1       64 ms      4.1 s
//	2       4.1 s      4.4 min
//	3       4.4 min    4.7 h
//
// When the hand of a level comes to a slot, its timers move to the place that
// fits them now, nearer to level 0, and fire from there.
//
//	start    O(levels)
//	stop     O(1)
//	tick     O(1) on average; a cascade moves a whole slot at once
type Hierarchical struct {
	base
	u      int64
	clock  int64 // wheel ticks: floor(now/u)
	levels []level
	slots  []slot // of all levels, finest first
	spares spares
	config HierarchicalConfig
}

// level is one of the wheels.
type level struct {
	n     int64  // slots
	width int64  // wheel ticks a slot
	hand  int64  // floor(clock/width)
	first uint32 // its slot 0 among the slots of all levels
	shift int8   // width is 1<<shift; -1: not a power of two
	occ   bitmap
}

// index is floor(x/width).
func (l *level) index(x int64) int64 {
	if l.shift >= 0 {
		return x >> uint8(l.shift)
	}
	return x / l.width
}

// slotOf is the slot of an index, of this level.
func (l *level) slotOf(index int64) uint32 {
	if l.n&(l.n-1) == 0 {
		return uint32(index & (l.n - 1))
	}
	return uint32(index % l.n)
}

// NewHierarchical makes an empty wheel. The error is a *ParamError.
func NewHierarchical(c HierarchicalConfig) (*Hierarchical, error) {
	if len(c.Slots) < 1 || len(c.Slots) > LevelsMax {
		return nil, &ParamError{"slots", fmt.Sprintf("a list of %d", len(c.Slots)), fmt.Sprintf("1 to %d sizes", LevelsMax)}
	}
	if err := checkClock(c.Width, c.Start); err != nil {
		return nil, err
	}
	if c.Grow && (len(c.Slots) != 1 || c.Slots[0] < 2) {
		return nil, &ParamError{"slots", strings.Trim(fmt.Sprint(c.Slots), "[]"), "one size of 2 or more, for a wheel that grows"}
	}
	c.Slots = slices.Clone(c.Slots)
	w := &Hierarchical{u: c.Width, clock: c.Start / c.Width, config: c}
	w.now = c.Start
	for i, n := range c.Slots {
		if err := checkSlots(sizeName(c.Slots, i), n); err != nil {
			return nil, err
		}
		if hi, lo := bits.Mul64(uint64(w.topSpan()), uint64(w.u)); hi != 0 || lo > uint64(TickMax) {
			return nil, &ParamError{sizeName(c.Slots, i), fmt.Sprint(n), "within reach: a slot of this level would span more than 62 bits of base ticks"}
		}
		w.addLevel(int64(n))
	}
	return w, nil
}

func sizeName(sizes []int, i int) string {
	if len(sizes) == 1 {
		return "slots"
	}
	return fmt.Sprintf("slots[%d]", i)
}

// topSpan is the range of the coarsest level in wheel ticks, the width of the
// next one; a span past 62 bits is given as one that is too large.
func (w *Hierarchical) topSpan() int64 {
	if len(w.levels) == 0 {
		return 1
	}
	top := &w.levels[len(w.levels)-1]
	hi, lo := bits.Mul64(uint64(top.n), uint64(top.width))
	if hi != 0 || lo > uint64(TickMax) {
		return TickMax + 1
	}
	return int64(lo)
}

// addLevel puts a level of n slots on top.
func (w *Hierarchical) addLevel(n int64) {
	l := level{n: n, width: w.topSpan(), first: uint32(len(w.slots)), shift: -1, occ: newBitmap(int(n))}
	if l.width&(l.width-1) == 0 {
		l.shift = int8(bits.TrailingZeros64(uint64(l.width)))
	}
	l.hand = l.index(w.clock)
	w.levels = append(w.levels, l)
	w.slots = append(w.slots, make([]slot, n)...)
}

func buildHierarchical(p Params, start Tick) (Wheel, error) {
	c := HierarchicalConfig{Width: p["width"].(int64), Start: start}
	c.Placement = map[string]Placement{"distance": ByDistance, "digits": ByDigits}[p["placement"].(string)]
	c.Migration = map[string]Migration{"full": MigrateFull, "one": MigrateOne, "none": MigrateNone}[p["migration"].(string)]
	c.Round = map[string]Rounding{"floor": RoundFloor, "ceil": RoundCeil, "nearest": RoundNearest}[p["round"].(string)]
	levels, fixed := p["levels"].(int64)
	switch slots := p["slots"].(type) {
	case []int64:
		if fixed && levels != int64(len(slots)) {
			return nil, &ParamError{"levels", fmt.Sprint(levels), fmt.Sprintf("the number of sizes in slots, %d", len(slots))}
		}
		for _, n := range slots {
			c.Slots = append(c.Slots, int(n))
		}
	case int64:
		if c.Grow = !fixed; c.Grow {
			levels = 1
		}
		for range levels {
			c.Slots = append(c.Slots, int(slots))
		}
	}
	return NewHierarchical(c)
}

// Schedule arms a timer in O(levels).
func (w *Hierarchical) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

// Cancel disarms a timer in O(1).
func (w *Hierarchical) Cancel(t Timer) bool {
	n := w.arena.find(t)
	if n == nil {
		return false
	}
	w.cost.Touched++
	w.counts.Cancelled++
	if w.log != nil {
		l := w.levelOf(n.slot)
		w.tellCancel(n, int8(l), n.slot-w.levels[l].first)
	}
	s, pos := n.slot, n.pos
	w.arena.release(t.index, n)
	v := &w.slots[s]
	if v.remove(&w.arena, s, pos); len(v.ids) == 0 {
		w.settleEmpty(w.levelOf(s), s)
	}
	return true
}

// levelOf is the level of a slot of all levels.
func (w *Hierarchical) levelOf(slot uint32) int {
	l := 0
	for l+1 < len(w.levels) && slot >= w.levels[l+1].first {
		l++
	}
	return l
}

// settleEmpty forgets a slot that has become empty.
func (w *Hierarchical) settleEmpty(l int, s uint32) {
	if v := &w.slots[s]; len(v.ids) == 0 {
		v.ids = w.spares.give(&w.arena, v.ids)
		w.levels[l].occ.clear(s - w.levels[l].first)
	}
}

// Layout is a ring for each level.
func (w *Hierarchical) Layout() Layout {
	out := Layout{Shape: ShapeRing}
	for i := range w.levels {
		l := &w.levels[i]
		out.Levels = append(out.Levels, Level{i, int(l.n), l.width * w.u})
	}
	return out
}

// AppendState appends the slots that hold timers, finest level first.
func (w *Hierarchical) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	for i := range w.levels {
		l := &w.levels[i]
		for k := range uint32(l.n) {
			s.appendSlot(&w.arena, Place{Level: int8(i), Slot: k}, l.first+k, &w.slots[l.first+k], nil, most)
		}
	}
	s.Counts, s.Live = w.counts, w.arena.live
}

// Clone copies the wheel.
func (w *Hierarchical) Clone() Wheel {
	c := *w
	c.log, c.spares = nil, spares{}
	c.arena, c.slots = w.arena.clone(), cloneSlots(w.slots)
	c.levels = append([]level(nil), w.levels...)
	for i := range c.levels {
		c.levels[i].occ = w.levels[i].occ.clone()
	}
	return &c
}

// Bytes is the memory of the arena, the slots and the maps of occupied slots.
func (w *Hierarchical) Bytes() int64 {
	n := w.arena.bytes() + slotBytes(w.slots) + w.spares.bytes()
	for i := range w.levels {
		n += w.levels[i].occ.bytes()
	}
	return n
}
