package algorithms

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Facts holds the properties of a wheel that do not change while it runs.
type Facts struct {
	Algorithm string      `json:"-"`        // ID of the algorithm; not part of the JSON object
	Shape     wheel.Shape `json:"shape"`    // shape in which the wheel is drawn
	Arity     int         `json:"arity"`    // maximum number of children of a heap node; 0 if the wheel is not a heap
	Exact     bool        `json:"exact"`    // whether every timer fires at its due tick; see catalog.Algorithm.Exact
	Relative  bool        `json:"relative"` // whether slot 0 begins at the wheel's start tick instead of at tick 0; see wheel.Layout.FromStart
}

// FactsOf returns the facts of a new wheel of the given algorithm with its clock at tick start.
// Missing parameters of p must have been filled in by [catalog.Algorithm.Fill]. If the wheel cannot
// be created, only the Algorithm field is set.
func FactsOf(algorithm string, p catalog.Params, start wheel.Tick) Facts {
	f := Facts{Algorithm: algorithm}
	a, ok := Lookup(algorithm)
	if !ok {
		return f
	}
	w, err := New(algorithm, p, start)
	if err != nil {
		return f
	}
	layout := w.Layout()
	f.Exact, f.Shape, f.Arity, f.Relative = a.Exact(p), layout.Shape, layout.Arity, layout.FromStart
	return f
}
