package core

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Faults is the set of faults that are switched on, one bit each in the order of their
// names.
type Faults uint32

// Has reports whether a fault is switched on.
func (f Faults) Has(one Faults) bool { return f&one != 0 }

// ReadFaults returns the faults that parameters switch on: those in the list "faults" if
// there is one, even if it is empty; otherwise all, or none if "as" is "corrected".
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
