package algorithms

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// Catalogue returns the algorithms in display order, without that of package recorded, whose wheels are in the scenarios. The caller must not modify the slice or its
// elements.
func Catalogue() []catalog.Algorithm { return catalogue }

// Lookup returns the algorithm with the given ID. It returns false if there is none.
func Lookup(id string) (*catalog.Algorithm, bool) {
	for i := range catalogue {
		if catalogue[i].ID == id {
			return &catalogue[i], true
		}
	}
	if id == recorded.ID {
		return &recorded.Algorithm, true
	}
	return nil, false
}

// New returns an empty wheel of the algorithm with the given ID, with its clock at tick start (0 ≤
// start ≤ wheel.TickMax). Missing parameters take their defaults. For algorithms that compute in
// seconds, a base tick is one second long; see [NewIn]. New returns a *wheel.ParamError if a
// parameter is invalid or unknown to the algorithm, and another error if the ID is unknown.
func New(id string, p catalog.Params, start wheel.Tick) (wheel.Observable, error) {
	return NewIn(catalog.Env{Start: start}, id, p)
}

// NewIn is like New, but takes the start tick and the length of a base tick from env.
func NewIn(env catalog.Env, id string, p catalog.Params) (wheel.Observable, error) {
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
