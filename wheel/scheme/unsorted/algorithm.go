package unsorted

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID:         "list",
	Source:     "Varghese & Lauck 1987, Scheme 1 (section 3.1)",
	Parameters: []catalog.Parameter{catalog.WidthParameter(1)},
	Build:      build,
}
