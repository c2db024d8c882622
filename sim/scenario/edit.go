package scenario

import "slices"

// Clone returns a copy of s with its own list of lanes, which planning changes. It shares
// everything else, which is immutable.
func (s *Scenario) Clone() *Scenario {
	c := *s
	c.Lanes = slices.Clone(s.Lanes)
	return &c
}

// WithOp returns a copy of s with op added after the other written operations. If the timer is due
// after Until, Until is extended as its default would be. The caller must plan the result to check
// it.
func (s *Scenario) WithOp(op Op) *Scenario {
	c := s.Clone()
	c.Ops = append(slices.Clip(s.Ops), op)
	sound := op.Kind.Arms() && op.At <= c.Until && CheckOp(&op, "", c.Start) == nil
	if last := LastDue(op.At, op.Delay, op.Every, op.Times); sound && last > c.Until {
		c.Until = last + c.Rest()
	}
	return c
}

// WithLanes returns a copy of s with other lanes. The caller must plan the result to check it.
func (s *Scenario) WithLanes(lanes []LaneSpec) *Scenario {
	c := *s
	c.Lanes = lanes
	return &c
}
