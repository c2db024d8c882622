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
	Floor     bool // bring a due tick down to a wheel tick, not up: early, never late
	Endless   bool // with Grow: as many levels as 62 bits have room for
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
	config HierarchicalConfig
	here   []int // timers found in the slot of each level, in a step
	tower
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
		w.addLevel(int64(n), w.topSpan(), w.clock)
	}
	return w, nil
}

// most is how many levels a wheel that grows may have.
func (c *HierarchicalConfig) most() int {
	if c.Endless {
		return endlessLevels
	}
	return LevelsMax
}

// endlessLevels of two slots or more span 62 bits.
const endlessLevels = 62

func sizeName(sizes []int, i int) string {
	if len(sizes) == 1 {
		return "slots"
	}
	return fmt.Sprintf("slots[%d]", i)
}

func buildHierarchical(p Params, start Tick) (Wheel, error) {
	c := HierarchicalConfig{Width: p["width"].(int64), Start: start}
	c.Placement = map[string]Placement{"distance": ByDistance, "digits": ByDigits}[p["placement"].(string)]
	c.Migration = map[string]Migration{"full": MigrateFull, "one": MigrateOne, "none": MigrateNone}[p["migration"].(string)]
	c.Round = map[string]Rounding{"floor": RoundFloor, "ceil": RoundCeil, "nearest": RoundNearest}[p["round"].(string)]
	c.Floor = bool(roundingOf(p))
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
//
// It is base.schedule written out, so that place is called directly: with a
// million timers that is an eighth of its time.
func (w *Hierarchical) Schedule(s Spec) (Timer, int, error) {
	i, n, v := w.admit(&s)
	if v == placed {
		v = w.place(i, n)
	}
	if v == placed {
		return Timer{i, n.gen}, 0, nil
	}
	return w.conclude(w, i, n, v)
}

// Cancel disarms a timer in O(1).
func (w *Hierarchical) Cancel(t Timer) bool { return w.cancel(&w.base, t) }

// Layout is a ring for each level.
func (w *Hierarchical) Layout() Layout { return w.layout(w.u) }

// AppendState appends the slots that hold timers, finest level first.
func (w *Hierarchical) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	w.appendState(&w.arena, s, most)
	s.Counts, s.Live = w.counts, w.arena.live
}

// Clone copies the wheel.
func (w *Hierarchical) Clone() Wheel { return w.cloneOver(nil) }

func (w *Hierarchical) cloneOver(spent Wheel) Wheel {
	s, ok := spent.(*Hierarchical)
	if !ok {
		s = &Hierarchical{}
	}
	c := *w
	c.log, c.here = nil, nil
	c.arena, c.tower = w.arena.cloneOver(&s.arena), w.tower.cloneOver(&s.tower)
	return &c
}

// Bytes is the memory of the arena, the slots and the maps of occupied slots.
func (w *Hierarchical) Bytes() int64 { return w.arena.bytes() + w.tower.bytes() }
