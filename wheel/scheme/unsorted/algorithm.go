// Package unsorted implements Scheme 1 of Varghese and Lauck (SOSP 1987, section 3.1): an
// unordered list of timers, all of which are touched at every tick. Timers that are due
// in one tick fire in order of scheduling.
//
//	range          any delay; at most wheel.LinearMax live timers
//	start, stop    O(1)
//	tick           O(n): each timer is decremented
//
// Its name in the catalogue is "list".
package unsorted

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the unsorted list (Scheme 1).
var Algorithm = catalog.Algorithm{
	ID:         "list",
	Source:     "Varghese & Lauck 1987, Scheme 1 (section 3.1)",
	Parameters: []catalog.Parameter{catalog.WidthParameter(1)},
	Build:      build,
	TimersMax:  wheel.LinearMax,
}
