package wheel

// NewTimer returns a handle to the timer whose record has the given index in the wheel. The index
// is 1 or more. The generation distinguishes the timers that have used this index.
func NewTimer(index, gen uint32) Timer { return Timer{index, gen} }

// Index returns the index of the timer, or 0 if t is the zero Timer.
func (t Timer) Index() uint32 { return t.index }

// Generation returns the generation that the timer's record had when the handle was created. The
// record gets another one when the timer ends.
func (t Timer) Generation() uint32 { return t.gen }
