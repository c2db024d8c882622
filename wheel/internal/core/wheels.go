package core

import "github.com/wheelscope/wheelscope/wheel"

// LevelWheel holds the state of wheels that keep all timers in the slots of levels and whose wheel
// tick is a base tick. It implements the methods that these wheels have in common.
type LevelWheel struct {
	Base
	LevelSet
}

// Cancel removes timer t in O(levels) time. It returns false if t is not scheduled.
func (w *LevelWheel) Cancel(t wheel.Timer) bool { return w.CancelTimer(&w.Base, t) }

// Layout returns the layout of the wheel: one ring per level.
func (w *LevelWheel) Layout() wheel.Layout { return w.Rings(1) }

// AppendState appends the occupied slots to s, finest level first, and sets s.Counts and s.Live. It
// includes at most limit timers of each slot, or all if limit is AllEntries.
func (w *LevelWheel) AppendState(s *wheel.State, limit int) {
	w.AppendLayout(s, w.Layout())
	w.AppendSlots(&w.Arena, s, limit)
}

// Copy returns an independent copy of w, without the log.
func (w *LevelWheel) Copy() LevelWheel {
	c := LevelWheel{Base: w.Base.Copy()}
	c.LevelSet = w.LevelSet.Clone(&c.Arena)
	return c
}

// Bytes returns the memory used by the nodes, the slots and the bitmaps, in bytes.
func (w *LevelWheel) Bytes() int64 { return w.Arena.Bytes() + w.LevelSet.Bytes() }

// ListWheel holds the state of wheels that keep all timers in one list. It implements the methods
// that these wheels have in common.
type ListWheel struct {
	Base
	List Chain
}

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *ListWheel) NeverEarly() bool { return true }

// Layout returns the layout of a list: one level without a fixed number of slots.
func (w *ListWheel) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeList, Levels: []wheel.Level{{Level: 0, Slots: 0, Width: 1}}}
}

// AppendState appends the list to s as one place, and sets s.Counts and s.Live. It includes at most
// limit timers, or all if limit is AllEntries.
func (w *ListWheel) AppendState(s *wheel.State, limit int) {
	w.AppendLayout(s, w.Layout())
	w.List.AppendState(s, &w.Arena, 0, limit)
}

// Copy returns an independent copy of w, without the log.
func (w *ListWheel) Copy() ListWheel {
	return ListWheel{Base: w.Base.Copy(), List: w.List}
}

// Bytes returns the memory used by the nodes, in bytes.
func (w *ListWheel) Bytes() int64 { return w.Arena.Bytes() }

// ChainWheel holds the state of wheels with a single level whose slots are linked lists. It
// implements the methods that these wheels have in common.
type ChainWheel struct {
	Base
	Chains   []Chain // lists of timers, one per slot
	Occupied Bitmap
	Width    wheel.Tick // number of base ticks per slot
}

// SetSlots replaces the slots with n empty slots.
func (w *ChainWheel) SetSlots(n int) {
	w.Chains = make([]Chain, n)
	w.Occupied = NewBitmap(n)
}

// Link inserts node n, which has index i, into slot s before the node with index next, or at the
// end if next is 0.
func (w *ChainWheel) Link(s, i uint32, n *Node, next uint32) {
	w.Chains[s].Link(&w.Arena, i, n, next)
	w.Occupied.Set(s)
}

// Unlink removes node n from slot s.
func (w *ChainWheel) Unlink(s uint32, n *Node) {
	w.Chains[s].Unlink(&w.Arena, n)
	if w.Chains[s].Count == 0 {
		w.Occupied.Clear(s)
	}
}

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *ChainWheel) NeverEarly() bool { return true }

// Layout returns the layout of the wheel: a single ring.
func (w *ChainWheel) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeRing, Levels: []wheel.Level{{Level: 0, Slots: len(w.Chains), Width: w.Width}}}
}

// AppendState appends the occupied slots to s, and sets s.Counts and s.Live. It includes at most
// limit timers of each slot, or all if limit is AllEntries.
func (w *ChainWheel) AppendState(s *wheel.State, limit int) {
	w.AppendLayout(s, w.Layout())
	for i := range w.Chains {
		w.Chains[i].AppendState(s, &w.Arena, uint32(i), limit)
	}
}

// Copy returns an independent copy of w, without the log.
func (w *ChainWheel) Copy() ChainWheel {
	return ChainWheel{Base: w.Base.Copy(), Chains: append([]Chain(nil), w.Chains...), Occupied: w.Occupied.Clone(), Width: w.Width}
}

// Bytes returns the memory used by the nodes, the slots and the bitmap, in bytes.
func (w *ChainWheel) Bytes() int64 {
	return w.Arena.Bytes() + int64(cap(w.Chains))*12 + w.Occupied.Bytes()
}
