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
