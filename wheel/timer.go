package wheel

// NewTimer returns the handle of a timer. index is the index of the timer in the wheel's table of
// timers, 1 or more. gen is the generation of that table entry, a number that changes each time the
// entry is used for another timer.
func NewTimer(index, gen uint32) Timer { return Timer{index, gen} }

// Index returns the index of the timer in the wheel's table of timers, or 0 if t is the zero Timer.
func (t Timer) Index() uint32 { return t.index }

// Generation returns the generation that the timer's table entry had when t was created. The
// generation of the entry changes when the timer ends, so a stale handle can be detected.
func (t Timer) Generation() uint32 { return t.gen }
