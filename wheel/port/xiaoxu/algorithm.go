package xiaoxu

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the xiaoxu wheel.
var Algorithm = catalog.Algorithm{
	ID: "xiaoxu", Coarse: true,
	Source:      "github.com/xiaoxuxiansheng/timewheel 8f0e64b, time_wheel.go",
	Parameters:  append([]catalog.Parameter{catalog.SlotsParameter(10, 1), catalog.WidthParameter(wheel.WidthMax)}, catalog.FaultParameters(faultNames)...),
	Build:       build,
	RevisitRule: catalog.EachRevolution,
}
