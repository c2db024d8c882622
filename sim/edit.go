package sim

import "slices"

// clone copies what planning fills in; the rest is shared, since nobody changes
// it.
func (s *Scenario) clone() *Scenario {
	c := *s
	c.Lanes = slices.Clone(s.Lanes)
	return &c
}

// WithOp returns the scenario with one more operation, the last of the written
// ones at its tick. When its timer is due past until, until grows to hold it as
// the default would; otherwise it stays. Plan the result to check it.
func (s *Scenario) WithOp(op Op) *Scenario {
	c := s.clone()
	c.Ops = append(slices.Clip(s.Ops), op)
	planned := Planned{At: op.At, Delay: op.Delay, Every: op.Every, Times: op.Times, Kind: op.Kind}
	sound := op.Kind.Arms() && op.At <= c.Until && checkOp(&op, "", c.Start) == nil
	if sound && planned.end() > c.Until {
		c.Until = planned.end() + c.rest()
	}
	return c
}

// WithLanes returns the scenario on other lanes. Plan the result to check it.
func (s *Scenario) WithLanes(lanes []LaneSpec) *Scenario {
	c := *s
	c.Lanes = lanes
	return &c
}
