package wheel

import (
	"math"
	"math/bits"
)

// tower is the levels of a wheel with their slots. Levels count in wheel ticks.
type tower struct {
	levels []level
	slots  []slot // of all levels, finest first
	spares spares
}

// level is one of the wheels.
type level struct {
	n     int64  // slots
	width int64  // wheel ticks a slot
	span  int64  // wheel ticks of all slots, at most TickMax+1
	hand  int64  // floor(clock/width), in wheels that keep it
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

// topSpan is the range of the coarsest level in wheel ticks, the width of the
// next one; a span past 62 bits is given as one that is too large.
func (w *tower) topSpan() int64 {
	if len(w.levels) == 0 {
		return 1
	}
	return w.levels[len(w.levels)-1].span
}

// spanOf is n·width, or TickMax+1 where that is past 62 bits.
func spanOf(n, width int64) int64 {
	hi, lo := bits.Mul64(uint64(n), uint64(width))
	if hi != 0 || lo > uint64(TickMax) {
		return TickMax + 1
	}
	return int64(lo)
}

// addLevel puts a level of n slots on top, each width wheel ticks wide.
func (w *tower) addLevel(n, width, clock int64) {
	l := level{n: n, width: width, span: spanOf(n, width), first: uint32(len(w.slots)), shift: -1, occ: newBitmap(int(n))}
	if l.width&(l.width-1) == 0 {
		l.shift = int8(bits.TrailingZeros64(uint64(l.width)))
	}
	l.hand = l.index(clock)
	w.levels = append(w.levels, l)
	w.slots = append(w.slots, make([]slot, n)...)
}

// put adds a timer to the slot of an index of level l, and returns the slot.
func (w *tower) put(a *arena, i uint32, n *node, l int, index int64) uint32 {
	v := &w.levels[l]
	s := v.slotOf(index)
	n.slot = v.first + s
	to := &w.slots[n.slot]
	to.add(a, &w.spares, i, n)
	if len(to.ids) == 1 {
		v.occ.set(s)
	}
	return s
}

// levelOf is the level of a slot of all levels.
func (w *tower) levelOf(slot uint32) int {
	l := 0
	for l+1 < len(w.levels) && slot >= w.levels[l+1].first {
		l++
	}
	return l
}

// settleEmpty forgets a slot that has become empty.
func (w *tower) settleEmpty(a *arena, l int, s uint32) {
	if v := &w.slots[s]; len(v.ids) == 0 {
		v.ids = w.spares.give(a, v.ids)
		w.levels[l].occ.clear(s - w.levels[l].first)
	}
}

// noSlot is the slot of a timer that is staged. (A reused node still has the pos of the
// timer before it, whose dead entry may stand in any slot.)
const noSlot = math.MaxUint32

// cancel disarms a timer of a tower in O(levels).
func (w *tower) cancel(b *base, t Timer) bool {
	n := b.arena.find(t)
	if n == nil {
		return false
	}
	b.cost.Touched++
	b.counts.Cancelled++
	if b.log != nil {
		l := w.levelOf(n.slot)
		b.tellCancel(n, int8(l), n.slot-w.levels[l].first)
	}
	slot, pos := n.slot, n.pos
	b.arena.release(t.index, n)
	if slot == noSlot {
		return true
	}
	v := &w.slots[slot]
	if v.remove(&b.arena, pos); len(v.ids) == 0 {
		w.settleEmpty(&b.arena, w.levelOf(slot), slot)
	}
	return true
}

// layout is a ring for each level; a wheel tick is u base ticks.
func (w *tower) layout(u Tick) Layout {
	out := Layout{Shape: ShapeRing}
	for i := range w.levels {
		l := &w.levels[i]
		out.Levels = append(out.Levels, Level{i, int(l.n), l.width * u})
	}
	return out
}

// appendState appends the slots that hold timers, finest level first.
func (w *tower) appendState(a *arena, s *State, most int) {
	for i := range w.levels {
		l := &w.levels[i]
		for k := range uint32(l.n) {
			s.appendSlot(a, Place{Level: int8(i), Slot: k}, l.first+k, &w.slots[l.first+k], nil, most)
		}
	}
}

// clone copies the levels and slots, without spare vectors.
func (w *tower) clone() tower { return w.cloneOver(&tower{}) }

// bytes is the memory of the slots and the maps of occupied slots.
func (w *tower) bytes() int64 {
	n := slotBytes(w.slots) + w.spares.bytes()
	for i := range w.levels {
		n += w.levels[i].occ.bytes()
	}
	return n
}

// tower checks every slot of every level; belongs says whether a timer may stand
// in a slot of level i.
func (c *checker) tower(w *tower, belongs func(i int, s int64, n *node) bool) {
	for i := range w.levels {
		l := &w.levels[i]
		for s := range uint32(l.n) {
			v := &w.slots[l.first+s]
			c.slot(v, l.first+s, func(n *node) bool { return belongs(i, int64(s), n) })
			c.occupied(&l.occ, s, len(v.ids) > 0)
		}
	}
}
