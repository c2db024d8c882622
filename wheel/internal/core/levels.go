package core

import (
	"math/bits"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// LevelSet holds the levels of a wheel and their slots. All ticks in it are wheel ticks, which can
// be several base ticks long.
type LevelSet struct {
	Levels    []Level
	Slots     []Slot  // the slots of all levels, finest level first
	Visits    []Visit // unfinished visits of the current tick; empty between ticks
	Passed    []Visit // unfinished visits of earlier ticks, while a wheel that permits this processes later ticks; see hierarchical.Config.Program
	freeList  FreeList
	compacted int // number of slots that CompactSlots has examined in its current pass over all slots
}

// Level is one array of slots.
type Level struct {
	N        int64  // number of slots
	Width    int64  // number of wheel ticks per slot
	Span     int64  // number of wheel ticks that the level covers: N·Width, at most TickMax+1
	Hand     int64  // position of the hand, floor(clock/Width); some wheels do not use it
	First    uint32 // index of the level's slot 0 among the slots of all levels
	shift    int8   // base-2 logarithm of Width; -1 if Width is not a power of two
	Occupied Bitmap
}

// Index returns floor(x/Width), the index of the slot that contains wheel tick x. The index is not reduced
// modulo N; see SlotOf.
func (l *Level) Index(x int64) int64 {
	if l.shift >= 0 {
		return x >> uint8(l.shift)
	}
	return x / l.Width
}

// SlotOf returns index mod N, the number within the level of the slot with the given index (see
// [Level.Index]).
func (l *Level) SlotOf(index int64) uint32 {
	if l.N&(l.N-1) == 0 {
		return uint32(index & (l.N - 1))
	}
	return uint32(index % l.N)
}

// TopSpan returns the span of the coarsest level in wheel ticks, at most TickMax+1, or 1 if there are
// no levels. The slots of the next level to be added have this width.
func (w *LevelSet) TopSpan() int64 {
	if len(w.Levels) == 0 {
		return 1
	}
	return w.Levels[len(w.Levels)-1].Span
}

// SpanOf returns n·width, or TickMax+1 if the product does not fit in 62 bits.
func SpanOf(n, width int64) int64 {
	hi, lo := bits.Mul64(uint64(n), uint64(width))
	if hi != 0 || lo > uint64(wheel.TickMax) {
		return wheel.TickMax + 1
	}
	return int64(lo)
}

// AddLevel adds a level that is coarser than the others. It has n slots of width wheel ticks each,
// and its hand is at the slot that contains wheel tick clock.
func (w *LevelSet) AddLevel(n, width, clock int64) {
	l := Level{N: n, Width: width, Span: SpanOf(n, width), First: uint32(len(w.Slots)), shift: -1, Occupied: NewBitmap(int(n))}
	if l.Width&(l.Width-1) == 0 {
		l.shift = int8(bits.TrailingZeros64(uint64(l.Width)))
	}
	l.Hand = l.Index(clock)
	w.Levels = append(w.Levels, l)
	w.Slots = append(w.Slots, make([]Slot, n)...)
}

// Put adds node n, which has index i in arena a, to the slot of level l with the given index (see
// [Level.Index]). It returns the number of that slot in its level, from 0 to N−1.
func (w *LevelSet) Put(a *Arena, i uint32, n *Node, l int, index int64) uint32 {
	v := &w.Levels[l]
	s := v.SlotOf(index)
	n.Slot = v.First + s
	to := &w.Slots[n.Slot]
	to.Add(a, &w.freeList, i, n)
	if len(to.IDs) == 1 {
		v.Occupied.Set(s)
	}
	return s
}

// LevelOf returns the level of the slot with the given index in w.Slots.
func (w *LevelSet) LevelOf(slot uint32) int {
	l := 0
	for l+1 < len(w.Levels) && slot >= w.Levels[l+1].First {
		l++
	}
	return l
}

// ReleaseEmpty records in the bitmap of level l that slot s is empty, and moves the slot's vector to
// the free list if it is large. If s is not empty, ReleaseEmpty does nothing. s is an index into
// w.Slots.
func (w *LevelSet) ReleaseEmpty(a *Arena, l int, s uint32) {
	if v := &w.Slots[s]; len(v.IDs) == 0 {
		v.IDs = w.freeList.Give(a, v.IDs)
		w.Levels[l].Occupied.Clear(s - w.Levels[l].First)
	}
}

// CancelTimer removes timer t of wheel b in O(levels) time. It returns false if t is not scheduled.
func (w *LevelSet) CancelTimer(b *Base, t wheel.Timer) bool {
	n := b.Arena.Find(t)
	if n == nil {
		return false
	}
	b.Costs.Touched++
	b.Counts.Cancelled++
	if b.Log != nil {
		l := w.LevelOf(n.Slot)
		b.EmitCancel(n, int8(l), n.Slot-w.Levels[l].First)
	}
	slot, pos := n.Slot, n.Pos
	b.Arena.Release(t.Index(), n)
	w.vacate(b, slot, pos)
	return true
}

// Unlink takes node n, which must be in a slot, out of that slot.
func (w *LevelSet) Unlink(b *Base, n *Node) {
	slot, pos := n.Slot, n.Pos
	n.Slot = SideSlot // so that its entry no longer holds it
	w.vacate(b, slot, pos)
}

// vacate removes entry pos from the given slot.
func (w *LevelSet) vacate(b *Base, slot, pos uint32) {
	v := &w.Slots[slot]
	if w.visitOf(slot) != nil {
		v.markDead(pos) // entries keep their places until the visit is over
		return
	}
	if v.Remove(&b.Arena, pos); len(v.IDs) == 0 {
		w.ReleaseEmpty(&b.Arena, w.LevelOf(slot), slot)
	}
}

// Rings returns the layout of the wheel: one ring per level. A wheel tick is u base ticks long.
func (w *LevelSet) Rings(u wheel.Tick) wheel.Layout {
	out := wheel.Layout{Shape: wheel.ShapeRing}
	for i := range w.Levels {
		l := &w.Levels[i]
		out.Levels = append(out.Levels, wheel.Level{Level: i, Slots: int(l.N), Width: l.Width * u})
	}
	return out
}

// AppendSlots appends the occupied slots to s, finest level first. It includes at most limit timers
// of each slot, or all if limit is AllEntries.
func (w *LevelSet) AppendSlots(a *Arena, s *wheel.State, limit int) {
	for i := range w.Levels {
		l := &w.Levels[i]
		s.Places = slices.Grow(s.Places, l.Occupied.Count())
		for n := l.Occupied.Next(0); n >= 0; n = l.Occupied.Next(uint32(n) + 1) {
			k := uint32(n)
			AppendSlot(s, a, wheel.Place{Level: int8(i), Slot: k}, l.First+k, &w.Slots[l.First+k], nil, limit)
		}
	}
}

// Bytes returns the memory used by the slots, the free list and the bitmaps, in bytes.
func (w *LevelSet) Bytes() int64 {
	n := SlotBytes(w.Slots) + w.freeList.Bytes()
	for i := range w.Levels {
		n += w.Levels[i].Occupied.Bytes()
	}
	return n
}

// Levels checks every slot of every level of w. belongs reports whether the timer of node n may be
// in slot s of level i.
func (c *Checker) Levels(w *LevelSet, belongs func(i int, s int64, n *Node) bool) {
	for i := range w.Levels {
		l := &w.Levels[i]
		for s := range uint32(l.N) {
			v := &w.Slots[l.First+s]
			check := c.Slot
			if w.visitOf(l.First+s) != nil {
				check = c.visited
			}
			check(v, l.First+s, func(n *Node) bool { return belongs(i, int64(s), n) })
			c.Occupied(&l.Occupied, s, len(v.IDs) > 0)
		}
	}
}
