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
