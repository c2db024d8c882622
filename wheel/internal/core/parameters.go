package core

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Faults is a set of faults of a published rule. Bit i is set if the fault with index i in the
// algorithm's list of fault names is switched on.
type Faults uint32

// Has reports whether f contains the given fault, which must have exactly one bit set.
func (f Faults) Has(fault Faults) bool { return f&fault != 0 }

// ReadFaults returns the set of faults that p switches on. names lists the names of all faults; bit i
// of the result is set if the fault names[i] is switched on. If p has a "faults" parameter, a list
// that may be empty, the set contains the faults in the list. Otherwise, it contains all faults, or
// none if the "as" parameter is "corrected".
func ReadFaults(p catalog.Params, names []string) Faults {
	list, given := p["faults"].([]string)
	if !given {
		if p["as"] == catalog.AsCorrected {
			return 0
		}
		return 1<<len(names) - 1
	}
	on := Faults(0)
	for i, name := range names {
		for _, listed := range list {
			if listed == name {
				on |= 1 << i
			}
		}
	}
	return on
}

// Rounding is the rule that converts a due tick, in base ticks, to a wheel tick, which can be several
// base ticks long. If the Rounding is true, the due tick is rounded down to the beginning of a wheel
// tick, as in Kafka and in variants of other wheels. Otherwise, it is rounded up.
type Rounding bool

const (
	roundUp   Rounding = false // due ticks are rounded up, so timers can fire late but never early
	roundDown Rounding = true  // due ticks are rounded down, so timers can fire early but never late
)

// RoundingOf returns the rounding selected by the "rounding" parameter.
func RoundingOf(p catalog.Params) Rounding { return p["rounding"] == "floor" }

// Tick returns the wheel tick at which a timer due at base tick x fires. A wheel tick is u base
// ticks long.
func (r Rounding) Tick(x wheel.Tick, u int64) int64 {
	if r == roundDown {
		return x / u
	}
	return CeilDiv(x, u)
}

// Reached returns the latest base tick x for which r.Tick(x, u) is at most k: timers due at or before x
// fire at or before wheel tick k. A wheel tick is u base ticks long.
func (r Rounding) Reached(k, u int64) wheel.Tick {
	if r == roundDown {
		return k*u + u - 1
	}
	return k * u
}
