package scenario

import "slices"

// Clone returns a copy of s for planning, which changes the list of lanes. The copy has its own list of
// lanes and shares everything else, which is immutable.
func (s *Scenario) Clone() *Scenario {
	c := *s
	c.Lanes = slices.Clone(s.Lanes)
	return &c
}

// WithOp returns a copy of s with op added after the other written operations. If the timer is due after
// Until, Until is extended to its last due tick plus Rest. The result has not been checked; the caller must
// plan it.
func (s *Scenario) WithOp(op Op) *Scenario {
	c := s.Clone()
	c.Ops = append(slices.Clip(s.Ops), op)
	sound := op.Kind.Arms() && op.At <= c.Until && CheckOp(&op, "", c.Start) == nil
	if last := LastDue(op.At, op.Delay, op.Every, op.Times); sound && last > c.Until {
		c.Until = last + c.Rest()
	}
	return c
}

// WithLanes returns a copy of s with the given lanes. The result has not been checked; the caller must
// plan it.
func (s *Scenario) WithLanes(lanes []LaneSpec) *Scenario {
	c := *s
	c.Lanes = lanes
	return &c
}
