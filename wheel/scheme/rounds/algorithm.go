// Package rounds implements Scheme 6 of Varghese and Lauck (SOSP 1987, section 6.1.2): a hash
// table of n unsorted lists, indexed by the hand. A timer due in wheel tick e, j wheel ticks
// ahead, is in slot e mod n and waits for (j−1) div n more rounds.
//
//	range          any delay
//	start, stop    O(1)
//	tick           O(timers of the slot): timers / n on average
//
// The variants naive and procinc count rounds as some libraries do. Start reading at [New]
// and, in rounds.go, PlaceNode and ProcessTick.
package rounds

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the wheel with rounds (Scheme 6).
var Algorithm = catalog.Algorithm{
	ID:     "rounds",
	Source: "Varghese & Lauck 1987, Scheme 6 (section 6.1.2)",
	Parameters: []catalog.Parameter{catalog.SlotsParameter(64, 1), catalog.WidthParameter(wheel.WidthMax),
		catalog.Choice("variant", "exact", "naive", "procinc"),
		catalog.RoundingParameter()},
	Build:      build,
	TimerBytes: 8,
}
