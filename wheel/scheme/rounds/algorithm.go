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
	Build:       build,
	RevisitRule: catalog.EachRevolution,
}
