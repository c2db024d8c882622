package sorted

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID:         "sorted",
	Source:     "Varghese & Lauck 1987, Scheme 2 (section 3.2)",
	Parameters: []catalog.Parameter{catalog.WidthParameter(1)},
	Build:      build,
}
