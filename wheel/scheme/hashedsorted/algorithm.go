package hashedsorted

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm is the catalogue entry of the hash table of sorted lists (Scheme 5).
var Algorithm = catalog.Algorithm{
	ID:          "hashed-sorted",
	Source:      "Varghese & Lauck 1987, Scheme 5 (section 6.1.1)",
	Parameters:  []catalog.Parameter{catalog.SlotsParameter(64, 1), catalog.WidthParameter(wheel.WidthMax)},
	Build:       build,
	RevisitRule: catalog.EachRevolution,
}
