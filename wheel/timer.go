package wheel

// NewTimer makes a handle: place index (1 or more) of the wheel's own arena, and
// the generation of what stands there.
func NewTimer(index, gen uint32) Timer { return Timer{index, gen} }

// Index is the place that a handle names, 0 for the handle of no timer.
func (t Timer) Index() uint32 { return t.index }

// Generation is that of the place when the handle was made.
func (t Timer) Generation() uint32 { return t.gen }
