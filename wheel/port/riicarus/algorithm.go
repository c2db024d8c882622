package riicarus

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the riicarus wheel.
var Algorithm = catalog.Algorithm{
	ID: "riicarus", Coarse: true,
	Source: "seed 001, a single wheel on a delay queue (a sketch)",
	Parameters: append([]catalog.Parameter{catalog.SlotsParameter(8, 1), catalog.WidthParameter(wheel.WidthMax)},
		catalog.FaultParameters(faultNames)...),
	Build: build,
}
