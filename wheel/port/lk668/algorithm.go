package lk668

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the lk668 wheel.
var Algorithm = catalog.Algorithm{
	ID: "lk668", Coarse: true,
	Source:      "github.com/lk668/timewheel 7f9962e, timewheel.go",
	Parameters:  append([]catalog.Parameter{catalog.SlotsParameter(60, 1), catalog.WidthParameter(wheel.WidthMax)}, catalog.FaultParameters(faultNames)...),
	Build:       build,
	RevisitRule: catalog.EachRevolution,
}
