package wheel

// NewTimer returns a handle of a timer at an index, 1 or more, of the wheel's own arena.
// The generation says which of the timers that had this index it is.
func NewTimer(index, gen uint32) Timer { return Timer{index, gen} }

// Index returns the index of the timer, 0 if t is the handle of no timer.
func (t Timer) Index() uint32 { return t.index }

// Generation returns the generation of the index at the time the handle was made.
func (t Timer) Generation() uint32 { return t.gen }
