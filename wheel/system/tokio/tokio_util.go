package tokio

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// libraryParameter returns the parameter "library", which selects the wheel of tokio's runtime or that of tokio-util.
// It has no default, because a default would change the trace headers of scenarios that omit the parameter.
func libraryParameter() catalog.Parameter {
	return catalog.Parameter{Name: "library", Type: catalog.TypeChoice, Options: []string{"tokio", "tokio-util"}}
}

// unstack processes the entries of slot s of level l whose index is less than end, in the same
// order as the function poll_expiration of tokio-util's DelayQueue (time/wheel/mod.rs). The slots
// of the DelayQueue are stacks. poll_expiration pops the timers of a slot and pushes them onto
// slots of the next finer level, which reverses their order. It continues with the slot under the
// hand at that level, down to level 0, where the timers that are due fire. unstack instead moves
// each timer directly to its final slot and emits one event for it. It appends the timers that fire
// to fired. All finer levels must be empty when unstack is called.
func (w *tokio) unstack(l int, s uint32, end int, fired []wheel.Expiry) []wheel.Expiry {
	index := w.Levels[l].First + s
	for to := l - 1; to >= 0; to-- {
		for k := range turned(end, l-to) {
			if !w.Arena.Spend(1) {
				return fired
			}
			if i, n := w.entry(index, k); n != nil && n.Due > w.clock && w.levelFor(n.Due) == to {
				w.lower(i, n, l, s, to)
			}
		}
	}
	for k := range turned(end, l+1) {
		if !w.Arena.Spend(1) {
			return fired
		}
		if i, n := w.entry(index, k); n != nil && n.Due <= w.clock {
			w.Costs.Touched++
			fired = w.Expire(w, i, n, int8(l), s, fired)
		}
	}
	return fired
}

// turned returns an iterator over the indices 0 to n−1, in reverse order if turns, the number of
// reversals, is odd.
func turned(n, turns int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for j := range n {
			k := j
			if turns%2 == 1 {
				k = n - 1 - j
			}
			if !yield(k) {
				return
			}
		}
	}
}
