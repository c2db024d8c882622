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
