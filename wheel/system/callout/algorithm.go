package callout

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm is the catalogue entry of the FreeBSD callout wheel.
var Algorithm = catalog.Algorithm{
	ID: "callout", PlainRing: true,
	Source:      "FreeBSD 7.3, sys/kern/kern_timeout.c, after Costello & Varghese 1995",
	Parameters:  []catalog.Parameter{catalog.SlotsParameter(64, 1), catalog.WidthParameter(1)},
	Build:       build,
	RevisitRule: revisit,
}
