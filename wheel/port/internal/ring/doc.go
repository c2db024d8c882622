// Package ring is what three small Go libraries (lk668, xiaoxu, godis) have in common: one
// ring of slots with rounds, driven by a ticker. Together with the sketch riicarus they are
// the code that this project began with, its seeds.
//
// A tick processes the slot under the hand and then moves the hand on. A timer with a delay
// of j = delay div u ticks is put j slots ahead of the hand, and so fires at the (j+1)-th
// tick after it was scheduled. The phase of the tick is left out: a timer due at tick d
// fires within (d−u, d+u].
//
//	range          any delay
//	start, stop    O(1)
//	tick           O(timers of the slot)
//
// Start reading at [Ring] and [Library], which is what a library adds; tick.go has the
// visit of a slot, seconds.go the arithmetic of time.Duration in whole seconds.
package ring
