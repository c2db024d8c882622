package sorted

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm is the catalogue entry of the sorted list (Scheme 2).
var Algorithm = catalog.Algorithm{
	ID:         "sorted",
	Source:     "Varghese & Lauck 1987, Scheme 2 (section 3.2)",
	Parameters: []catalog.Parameter{catalog.WidthParameter(1)},
	Build:      build,
}
