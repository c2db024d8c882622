// Package ring implements the wheel that three small Go libraries (lk668, xiaoxu, godis) have in
// common: one ring of slots with rounds, driven by a ticker. This project began with the code of
// these libraries and of the sketch in package riicarus.
//
// A tick processes the slot under the hand and then moves the hand to the next slot. A timer
// whose delay, rounded down, is j ticks of u base ticks is put j slots ahead of the hand. It
// fires at the (j+1)-th tick after it was scheduled. The time that has passed since the last tick
// is ignored, so a timer due at base tick d fires within (d−u, d+u].
//
//	range          any delay
//	start, stop    O(1)
//	tick           O(timers of the slot)
//
// Start reading at [Ring], and at [Library] for the methods in which the libraries differ. The
// visit to a slot is in tick.go, and the arithmetic of time.Duration in whole seconds in
// seconds.go.
package ring
