package godis

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the godis wheel.
var Algorithm = catalog.Algorithm{
	ID: "godis", Coarse: true,
	Source:      "github.com/HDT3213/godis f13d9cb, lib/timewheel/timewheel.go",
	Parameters:  append([]catalog.Parameter{catalog.SlotsParameter(3600, 1), catalog.WidthParameter(wheel.WidthMax)}, catalog.FaultParameters(faultNames)...),
	Build:       build,
	RevisitRule: catalog.EachRevolution,
}
