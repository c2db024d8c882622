package core

import "github.com/wheelscope/wheelscope/wheel"

// Due returns the due tick of timer t, and false if t is not scheduled. A timer that was admitted
// with [wheel.Stager] must have been placed before.
func (b *Base) Due(t wheel.Timer) (wheel.Tick, bool) {
	n := b.Arena.lookup(t)
	if n == nil || n.State == StateMarked || b.Arena.Aborted {
		return 0, false
	}
	return n.Due, true
}
