package netty

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the Netty wheel.
var Algorithm = catalog.Algorithm{
	ID: "netty", Coarse: true,
	Source:      "Netty 4.2, io.netty.util.HashedWheelTimer",
	Parameters:  []catalog.Parameter{{Name: "slots", Type: catalog.TypeInt, Default: int64(64), Min: 1, Max: wheel.SlotsMax}, catalog.WidthParameter(wheel.WidthMax)},
	Build:       build,
	RevisitRule: revisit,
}
