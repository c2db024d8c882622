package sim

import "github.com/wheelscope/wheelscope/wheel"

// Facts gives what does not change about each lane of a scenario whose defaults are
// filled in.
func (s *Scenario) Facts() []wheel.Facts {
	list := make([]wheel.Facts, len(s.Lanes))
	for i := range s.Lanes {
		l := &s.Lanes[i]
		list[i] = wheel.FactsOf(l.Algorithm, l.Params, s.Start)
	}
	return list
}
