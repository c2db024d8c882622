package unsorted

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm is the catalogue entry of the unsorted list (Scheme 1).
var Algorithm = catalog.Algorithm{
	ID:         "list",
	Source:     "Varghese & Lauck 1987, Scheme 1 (section 3.1)",
	Parameters: []catalog.Parameter{catalog.WidthParameter(1)},
	Build:      build,
}
