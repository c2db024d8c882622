package algorithms

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Register appends an algorithm to the catalogue. It is for algorithms that need more than the
// standard library, such as the wheel on Redis. It must be called from an init function, since it
// is not safe to call it while the catalogue is read. It panics if the ID is already in use.
func Register(a catalog.Algorithm) {
	if _, taken := Lookup(a.ID); taken {
		panic(fmt.Sprintf("wheel: two algorithms are called %q", a.ID))
	}
	catalogue = append(catalogue, a)
}
