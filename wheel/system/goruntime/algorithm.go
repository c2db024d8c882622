// Package goruntime implements the timers of the Go runtime (runtime/time.go of Go 1.26, in this form since 1.23), as
// one P sees them that no other P disturbs: a heap with four children per node, in which Stop and Reset move nothing.
//
//	range        any delay
//	fires        at its due tick; at the next tick if that has passed when it is scheduled
//	start        O(log n)
//	stop, reset  O(1): a stopped timer stays in the heap as a zombie, and the entry of a timer that was reset keeps
//	             its old key until a check of the heap meets it
//	check        O(1) if nothing is due; O(log n) per timer that fires; O(n) after a Reset to an earlier tick, and if
//	             more than a quarter of the heap are zombies
//
// The heap is ordered by key alone, so timers of one tick fire in any order. After a stall, a repeating timer skips the
// runs that it has missed.
//
// There are four differences from the runtime. There are no channels, whose timers are in the heap only while a
// goroutine waits. A timer with a limited number of runs leaves the heap with its last run, as if it did not repeat. A
// Reset gives the timer a new key and, if it repeats, a new interval. Ticks have 62 bits: a run beyond them is rejected.
//
// Start reading at Schedule, Cancel (Timer.Stop) and Reset in goruntime.go, then at ProcessTick (timers.check). Its name
// in the catalogue is "go".
package goruntime

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm is the catalogue entry of the timers of the Go runtime.
var Algorithm = catalog.Algorithm{
	ID:         "go",
	Source:     "Go 1.26, src/runtime/time.go",
	Parameters: []catalog.Parameter{catalog.WidthParameter(1)},
	Build:      build,
}
