// Package sorted implements Scheme 2 of Varghese and Lauck (SOSP 1987, section 3.2): a doubly
// linked list in order of due tick, searched from the front. Timers with equal due ticks
// are in order of scheduling.
//
//	range   any delay; at most wheel.LinearMax live timers
//	start   O(n): 2 + 2n/3 steps for exponential delays, 2 + n/2 for uniform ones
//	stop    O(1)
//	tick    O(1): only the head is examined
package sorted

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the sorted list (Scheme 2).
var Algorithm = catalog.Algorithm{
	ID:         "sorted",
	Source:     "Varghese & Lauck 1987, Scheme 2 (section 3.2)",
	Parameters: []catalog.Parameter{catalog.WidthParameter(1)},
	Build:      build,
	TimersMax:  wheel.LinearMax,
}
