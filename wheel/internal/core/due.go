package core

import "github.com/wheelscope/wheelscope/wheel"

// Due returns the due tick of a timer that waits for a run, false of one that does not. A
// driver that has wheel.Stager put off a timer must have placed it before.
func (b *Base) Due(t wheel.Timer) (wheel.Tick, bool) {
	n := b.Arena.lookup(t)
	if n == nil || n.State == StateMarked || b.Arena.Aborted {
		return 0, false
	}
	return n.Due, true
}
