package core

import "github.com/wheelscope/wheelscope/wheel"

// LevelWheel holds the state of a wheel that keeps all its timers in the slots of levels and whose
// wheel tick is a base tick. It implements the methods that these wheels share.
type LevelWheel struct {
	Base
	LevelSet
}

// Cancel removes timer t in O(levels). It returns false if t is not scheduled.
func (w *LevelWheel) Cancel(t wheel.Timer) bool { return w.CancelTimer(&w.Base, t) }

// Layout returns the layout of the wheel: one ring per level.
func (w *LevelWheel) Layout() wheel.Layout { return w.Rings(1) }

// AppendState appends the occupied slots to s, the finest level first, each with its first `most`
// timers, and sets s.Counts and s.Live.
func (w *LevelWheel) AppendState(s *wheel.State, most int) {
	w.AppendLayout(s, w.Layout())
	w.AppendSlots(&w.Arena, s, most)
}

// Copy returns an independent copy of the state, without the log.
func (w *LevelWheel) Copy() LevelWheel {
	return LevelWheel{Base: w.Base.Copy(), LevelSet: w.LevelSet.Clone(w.PacksCopies())}
}

// Bytes returns the memory, in bytes, of the arena, the slots and the bitmaps of occupied slots.
func (w *LevelWheel) Bytes() int64 { return w.Arena.Bytes() + w.LevelSet.Bytes() }
