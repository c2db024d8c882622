package core

import "github.com/wheelscope/wheelscope/wheel/catalog"

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
