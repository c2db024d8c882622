package core

import "github.com/wheelscope/wheelscope/wheel"

// ListWheel holds the state of a wheel that keeps all its timers in one list. It implements the
// methods that these wheels share.
type ListWheel struct {
	Base
	List Chain
}

// Layout returns the layout of a list: one level without a fixed number of slots.
func (w *ListWheel) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeList, Levels: []wheel.Level{{Level: 0, Slots: 0, Width: 1}}}
}

// AppendState appends the list to s as one place with its first `most` timers, and sets the counts.
func (w *ListWheel) AppendState(s *wheel.State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	w.List.AppendState(s, &w.Arena, 0, most)
	s.Counts, s.Live = w.Counts, w.Arena.Live
}

// Copy returns an independent copy of the state, without the log.
func (w *ListWheel) Copy() ListWheel {
	c := *w
	c.Log, c.Arena = nil, w.Arena.Clone()
	return c
}

// Bytes returns the memory of the arena in bytes.
func (w *ListWheel) Bytes() int64 { return w.Arena.Bytes() }

// ChainWheel holds the state of a wheel that keeps its timers in a ring of lists. It implements the
// methods that these wheels share.
type ChainWheel struct {
	Base
	Chains   []Chain // one per slot
	Occupied Bitmap
	Width    wheel.Tick // base ticks per slot
}

// SetSlots replaces the slots with n empty ones.
func (w *ChainWheel) SetSlots(n int) { w.Chains, w.Occupied = make([]Chain, n), NewBitmap(n) }

// Take removes node n from slot s.
func (w *ChainWheel) Take(s uint32, n *Node) {
	w.Chains[s].Unlink(&w.Arena, n)
	if w.Chains[s].Count == 0 {
		w.Occupied.Clear(s)
	}
}

// Layout returns the layout of the wheel: a ring of one level.
func (w *ChainWheel) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeRing, Levels: []wheel.Level{{Level: 0, Slots: len(w.Chains), Width: w.Width}}}
}

// AppendState appends the occupied slots to s, each with its first `most` timers, and sets the counts.
func (w *ChainWheel) AppendState(s *wheel.State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	for i := range w.Chains {
		w.Chains[i].AppendState(s, &w.Arena, uint32(i), most)
	}
	s.Counts, s.Live = w.Counts, w.Arena.Live
}

// Copy returns an independent copy of the state, without the log.
func (w *ChainWheel) Copy() ChainWheel {
	c := *w
	c.Log, c.Arena = nil, w.Arena.Clone()
	c.Chains, c.Occupied = append([]Chain(nil), w.Chains...), w.Occupied.Clone()
	return c
}

// Bytes returns the memory, in bytes, of the arena, the slots and the bitmap of occupied slots.
func (w *ChainWheel) Bytes() int64 {
	return w.Arena.Bytes() + int64(cap(w.Chains))*12 + w.Occupied.Bytes()
}
