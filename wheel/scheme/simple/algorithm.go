// Package simple implements Scheme 4 of Varghese and Lauck (SOSP 1987, section 5): one array of
// n slots, one slot per wheel tick. A timer due in wheel tick e is in slot e mod n.
//
//	range          a delay of fewer than n wheel ticks
//	start, stop    O(1)
//	tick           O(1), and the timers that fire
//
// With Config.Overflow, timers beyond the range wait on a side list (level −1), which is
// scanned completely each time the hand reaches slot 0, as the paper suggests. A scan that
// would not move any timer is counted but skipped.
//
// Start reading at [New] and, in simple.go, PlaceNode (where a timer goes) and
// ProcessTick (what a tick does). Package rounds has the same array for any delay.
package simple

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the simple wheel (Scheme 4).
var Algorithm = catalog.Algorithm{
	ID:     "simple",
	Source: "Varghese & Lauck 1987, Scheme 4 (section 5)",
	Parameters: []catalog.Parameter{catalog.SlotsParameter(64, 1), catalog.WidthParameter(wheel.WidthMax),
		catalog.Choice("overflow", "reject", "list"),
		catalog.RoundingParameter()},
	Build: build,
}
