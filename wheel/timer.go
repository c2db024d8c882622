package wheel

// NewTimer returns a handle to the timer at the given index of the wheel's arena. The index is 1 or
// more. The generation distinguishes the timers that have used this index.
func NewTimer(index, gen uint32) Timer { return Timer{index, gen} }

// Index returns the index of the timer, or 0 if t is the zero Timer.
func (t Timer) Index() uint32 { return t.index }

// Generation returns the generation of the index when the handle was created.
func (t Timer) Generation() uint32 { return t.gen }
