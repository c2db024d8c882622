package scenario

import "slices"

// Clone returns a copy with its own list of lanes, which planning fills in. The rest is shared
// and is not modified.
func (s *Scenario) Clone() *Scenario {
	c := *s
	c.Lanes = slices.Clone(s.Lanes)
	return &c
}

// WithOp returns the scenario with one more operation, the last of the written operations at
// its tick. If the timer is due after Until, Until is extended as far as its default would be.
// Plan the result to check it.
func (s *Scenario) WithOp(op Op) *Scenario {
	c := s.Clone()
	c.Ops = append(slices.Clip(s.Ops), op)
	sound := op.Kind.Arms() && op.At <= c.Until && CheckOp(&op, "", c.Start) == nil
	if last := LastDue(op.At, op.Delay, op.Every, op.Times); sound && last > c.Until {
		c.Until = last + c.Rest()
	}
	return c
}

// WithLanes returns the scenario with other lanes. Plan the result to check it.
func (s *Scenario) WithLanes(lanes []LaneSpec) *Scenario {
	c := *s
	c.Lanes = lanes
	return &c
}
