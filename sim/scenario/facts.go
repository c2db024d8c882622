package scenario

import "github.com/wheelscope/wheelscope/wheel/algorithms"

// Facts returns the properties of each lane that do not change during a run, such as whether every timer
// fires at its due tick. The defaults of s must be filled in.
func (s *Scenario) Facts() []algorithms.Facts {
	list := make([]algorithms.Facts, len(s.Lanes))
	for i := range s.Lanes {
		l := &s.Lanes[i]
		list[i] = algorithms.FactsOf(l.Algorithm, l.Params, s.Start)
	}
	return list
}
