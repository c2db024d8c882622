// Package hierarchical implements Scheme 7 of Varghese and Lauck (SOSP 1987, section 6.2):
// several levels of slots. A slot is as wide as the range of the next finer level. With 64
// slots per level and a width of 1 ms:
//
//	level   slot       range
//	0       1 ms       64 ms
//	1       64 ms      4.1 s
//	2       4.1 s      4.4 min
//	3       4.4 min    4.7 h
//
// When the hand of a level reaches a slot, the timers of that slot cascade: each moves to
// the finer level that its remaining delay requires. Timers fire from level 0.
//
//	range    that of the coarsest level; with Config.Grow, levels are added as needed
//	start    O(levels)
//	stop     O(1)
//	tick     O(1) on average; a cascade moves a whole slot in one tick
//
// Start reading at [Config] and [New], then place.go (which level and slot), advance.go (the
// hands and the cascade) and reschedule.go (timers that are postponed).
package hierarchical

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the hierarchical wheel (Scheme 7).
var Algorithm = catalog.Algorithm{
	ID:     "hierarchical",
	Source: "Varghese & Lauck 1987, Scheme 7 (section 6.2)",
	Parameters: []catalog.Parameter{
		{Name: "slots", Type: catalog.TypeInts, Default: int64(64), Min: 1, Max: wheel.SlotsMax},
		{Name: "levels", Type: catalog.TypeInt, Min: 1, Max: wheel.LevelsMax},
		catalog.WidthParameter(wheel.WidthMax),
		catalog.Choice("placement", "distance", "digits"),
		catalog.Choice("migration", "full", "one", "none"),
		catalog.Choice("round", "floor", "ceil", "nearest"),
		catalog.RoundingParameter(),
	},
	Build:      build,
	AddsLevels: true,
}
