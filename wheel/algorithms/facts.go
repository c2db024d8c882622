package algorithms

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Facts are the properties of a wheel that do not change while it runs.
type Facts struct {
	Algorithm string      `json:"-"` // messages have it with its title
	Shape     wheel.Shape `json:"shape"`
	Arity     int         `json:"arity"`
	Exact     bool        `json:"exact"`
	Relative  bool        `json:"relative"` // slots are counted from the wheel's start: Layout.FromStart
}

// FactsOf returns the facts of a wheel of an algorithm whose clock begins at start. The
// parameters have their defaults filled in. If there is no such wheel, the result has only the
// name.
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
