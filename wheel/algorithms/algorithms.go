package algorithms

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Catalogue lists the algorithms in the order in which they are shown.
func Catalogue() []catalog.Algorithm { return catalogue }

// Lookup finds an algorithm by its id.
func Lookup(id string) (*catalog.Algorithm, bool) {
	for i := range catalogue {
		if catalogue[i].ID == id {
			return &catalogue[i], true
		}
	}
	return nil, false
}

// New builds the algorithm called id, its clock at start (0 ≤ start ≤ TickMax); a
// base tick is a second to those few that ask. Parameters left out take their
// defaults. The error is a *ParamError for a parameter that can't be used, or that the
// algorithm does not have.
func New(id string, p catalog.Params, start wheel.Tick) (wheel.Wheel, error) {
	return NewIn(catalog.Env{Start: start}, id, p)
}

// NewIn is New where the length of a base tick is told.
func NewIn(s catalog.Env, id string, p catalog.Params) (wheel.Wheel, error) {
	a, ok := Lookup(id)
	if !ok {
		return nil, fmt.Errorf("wheel: no algorithm is called %q", id)
	}
	filled, err := a.Fill(p)
	if err != nil {
		return nil, err
	}
	if err := core.CheckStart(s.Start); err != nil {
		return nil, err
	}
	return a.Build(filled, s)
}
