// Package hashedsorted implements Scheme 5 of Varghese and Lauck (SOSP 1987, section 6.1.1): a
// hash table of sorted lists, indexed by the hand. A timer due in wheel tick e is in slot
// e mod n, after those of the same tick. A tick examines only the first timer of its slot.
//
//	range    any delay; at most wheel.LinearMax timers in a slot
//	start    O(1) on average while there are fewer timers than slots, O(n) at worst
//	stop     O(1)
//	tick     O(1), and the timers that fire
//
// Its name in the catalogue is "hashed-sorted".
package hashedsorted

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the hash table of sorted lists (Scheme 5).
var Algorithm = catalog.Algorithm{
	ID:         "hashed-sorted",
	Source:     "Varghese & Lauck 1987, Scheme 5 (section 6.1.1)",
	Parameters: []catalog.Parameter{catalog.SlotsParameter(64, 1), catalog.WidthParameter(wheel.WidthMax)},
	Build:      build,
}
