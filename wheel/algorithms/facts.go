package algorithms

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Facts is what does not change about a wheel while it runs.
type Facts struct {
	Algorithm string       `json:"algorithm"`
	Title     catalog.Text `json:"title"`
	Shape     wheel.Shape  `json:"shape"`
	Arity     int          `json:"arity"`
	Exact     bool         `json:"exact"`
	Relative  bool         `json:"relative"` // its slots are counted from its start: Layout.FromStart
}

// FactsOf gives the facts of a wheel of an algorithm, its parameters filled in, that
// begins at start. Of one that can't be built only the name is known, which is then its
// title too.
func FactsOf(algorithm string, p catalog.Params, start wheel.Tick) Facts {
	f := Facts{Algorithm: algorithm, Title: catalog.Text{EN: algorithm, ZH: algorithm}}
	a, ok := Lookup(algorithm)
	if !ok {
		return f
	}
	f.Title = a.Title
	w, err := New(algorithm, p, start)
	if err != nil {
		return f
	}
	layout := w.Layout()
	f.Exact, f.Shape, f.Arity, f.Relative = a.Exact(p), layout.Shape, layout.Arity, layout.FromStart
	return f
}
