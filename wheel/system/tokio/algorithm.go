package tokio

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm is the catalogue entry of the tokio wheel.
var Algorithm = catalog.Algorithm{
	ID:          "tokio",
	Source:      "tokio, tokio/src/runtime/time/wheel (mod.rs, level.rs)",
	Parameters:  []catalog.Parameter{catalog.WidthParameter(1), libraryParameter()},
	Build:       build,
	MayBeLate:   true,
	RevisitRule: revisit,
}
