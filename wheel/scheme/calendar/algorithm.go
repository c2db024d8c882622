package calendar

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the calendar queue.
var Algorithm = catalog.Algorithm{
	ID:     "calendar",
	Source: "Brown 1988, Calendar queues (CACM 31(10))",
	Parameters: []catalog.Parameter{
		{Name: "slots", Type: catalog.TypeInt, Default: int64(2), Min: 1, Max: wheel.SlotsMax},
		catalog.WidthParameter(1),
		{Name: "day", Type: catalog.TypeTick, Default: int64(1), Min: 1, Max: wheel.WidthMax},
		catalog.Choice("resize", "auto", "off"),
	},
	Build: build,
}
