// Package queue implements a queue of values with due ticks, like one that a program makes of container/heap, over a
// hierarchical timing wheel.
//
// A [Queue] is passive: it has no clock, goroutine or lock. The caller chooses the unit of a tick and passes the time
// to [Queue.Advance]. Add, Remove and Reset take constant time, whatever the number of entries. Package timer has
// timers with a clock and callbacks.
package queue
