package algorithms

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// What an algorithm needs that lives outside this package, because it needs more
// than the standard library: the lane on Redis.

// Register adds an algorithm to the end of the catalogue, with what builds it. It
// is called from an init function, before anyone reads the catalogue; an id that is
// taken is a mistake of the program, and panics.
func Register(a catalog.Algorithm, build func(catalog.Params, catalog.Env) (wheel.Wheel, error)) {
	if _, taken := Lookup(a.ID); taken {
		panic(fmt.Sprintf("wheel: two algorithms are called %q", a.ID))
	}
	a.Build, a.Coarse = build, true
	catalogue = append(catalogue, a)
}
