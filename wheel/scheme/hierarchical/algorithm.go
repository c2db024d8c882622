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
	Build: build,
}
