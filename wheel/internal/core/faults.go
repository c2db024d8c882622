package core

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Faults is a set of faults that are switched on. Bit i is the fault with index i in the
// algorithm's list of fault names.
type Faults uint32

// Has reports whether `one`, a set with a single fault, is in f.
func (f Faults) Has(one Faults) bool { return f&one != 0 }

// ReadFaults returns the faults that parameters p switch on. names lists the names of all faults,
// by bit. If p has the list "faults", which may be empty, they are the faults in this list.
// Otherwise they are all faults, or none if "as" is "corrected".
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
