package wheel

import "fmt"

// What an algorithm needs that lives outside this package, because it needs more
// than the standard library: the lane on Redis.

// Register adds an algorithm to the end of the catalogue, with what builds it. It
// is called from an init function, before anyone reads the catalogue; an id that is
// taken is a mistake of the program, and panics.
func Register(a Algorithm, build func(Params, Setting) (Wheel, error)) {
	if _, taken := Lookup(a.ID); taken {
		panic(fmt.Sprintf("wheel: two algorithms are called %q", a.ID))
	}
	a.timed, a.rounds = build, true
	catalogue = append(catalogue, a)
}

// NewTimer makes a handle: place index (1 or more) of the wheel's own arena, and
// the generation of what stands there.
func NewTimer(index, gen uint32) Timer { return Timer{index, gen} }

// Index is the place that a handle names, 0 for the handle of no timer.
func (t Timer) Index() uint32 { return t.index }

// Generation is that of the place when the handle was made.
func (t Timer) Generation() uint32 { return t.gen }
