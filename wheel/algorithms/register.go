package algorithms

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Register appends an algorithm to the catalogue. It is for algorithms that need more than the
// standard library, such as the wheel on Redis. It must be called from an init function,
// because it must not run concurrently with other functions of this package. Register panics if the
// catalogue already has an algorithm with the same ID.
func Register(a catalog.Algorithm) {
	if _, taken := Lookup(a.ID); taken {
		panic(fmt.Sprintf("wheel: two algorithms are called %q", a.ID))
	}
	catalogue = append(catalogue, a)
}
