package linux

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm is the catalogue entry of the wheel in Linux 4.8 and later.
var Algorithm = catalog.Algorithm{
	ID: "linux", Coarse: true,
	Source: "Linux since 4.8, kernel/time/timer.c",
	Parameters: []catalog.Parameter{catalog.WidthParameter(1),
		{Name: "levels", Type: catalog.TypeInt, Default: int64(9), Min: 8, Max: 9}},
	Build: build,
}
