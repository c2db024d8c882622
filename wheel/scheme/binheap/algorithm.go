// Package binheap implements Scheme 3 of Varghese and Lauck (SOSP 1987, section 4.1.1): a heap
// ordered by due tick, then by order of scheduling. With four children per node, it is the
// structure that the Go runtime uses (runtime/time.go).
//
//	range         any delay
//	start, stop   O(log n)
//	tick          O(1), and O(log n) for each timer that fires
//
// Its name in the catalogue is "heap".
package binheap

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm is the catalogue entry of the heap (Scheme 3).
var Algorithm = catalog.Algorithm{
	ID:     "heap",
	Source: "Varghese & Lauck 1987, Scheme 3 (section 4.1.1); Go runtime/time.go for arity 4",
	Parameters: []catalog.Parameter{catalog.WidthParameter(1),
		{Name: "arity", Type: catalog.TypeInt, Default: int64(2), Min: 2, Max: 4}},
	Build: build,
}
