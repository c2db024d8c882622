package core

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Faults are those that are switched on, a bit each in the order of their names.
type Faults uint32

func (f Faults) Has(one Faults) bool { return f&one != 0 }

// ReadFaults gives the faults that parameters switch on: those listed where there
// is a list, be it empty; else all of them, or with as "corrected" none.
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
