package algorithms

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Catalogue returns the algorithms in the order in which they are shown. The caller must
// not change them.
func Catalogue() []catalog.Algorithm { return catalogue }

// Lookup returns the algorithm with this id, and whether there is one.
func Lookup(id string) (*catalog.Algorithm, bool) {
	for i := range catalogue {
		if catalogue[i].ID == id {
			return &catalogue[i], true
		}
	}
	return nil, false
}

// New returns a wheel of the algorithm with this id and its clock at start (0 ≤ start ≤
// wheel.TickMax). Parameters that are left out have their defaults. The few algorithms that
// compute in seconds use a base tick of one second. The error is a *wheel.ParamError for a
// parameter that is invalid or that the algorithm does not have.
func New(id string, p catalog.Params, start wheel.Tick) (wheel.Wheel, error) {
	return NewIn(catalog.Env{Start: start}, id, p)
}

// NewIn is like New, with the start and the length of the base tick given by env.
func NewIn(env catalog.Env, id string, p catalog.Params) (wheel.Wheel, error) {
	a, ok := Lookup(id)
	if !ok {
		return nil, fmt.Errorf("wheel: no algorithm is called %q", id)
	}
	filled, err := a.Fill(p)
	if err != nil {
		return nil, err
	}
	if err := core.CheckStart(env.Start); err != nil {
		return nil, err
	}
	return a.Build(filled, env)
}
