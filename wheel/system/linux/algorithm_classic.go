package linux

import "github.com/wheelscope/wheelscope/wheel/catalog"

// ClassicAlgorithm is the catalogue entry of the wheel in Linux 4.7 and earlier.
var ClassicAlgorithm = catalog.Algorithm{
	ID:          "linux-classic",
	Source:      "Linux up to 4.7, kernel/time/timer.c (3.18)",
	Parameters:  []catalog.Parameter{catalog.WidthParameter(1)},
	Build:       buildClassic,
	RevisitRule: revisitClassic,
}
