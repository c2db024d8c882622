package scenario

import "slices"

// Clone returns a copy of s with its own list of lanes, which planning may change. All other data is shared
// with s and must not be changed.
func (s *Scenario) Clone() *Scenario {
	c := *s
	c.Lanes = slices.Clone(s.Lanes)
	return &c
}

// WithOp returns a copy of s with op appended to Ops. If op is valid, is not after Until and schedules a timer whose
// last run is due after Until, the copy's Until is the due tick of that run plus the result of [Scenario.Rest], which
// leaves time for lanes that fire late. The copy has not been checked; the caller must plan it.
func (s *Scenario) WithOp(op Op) *Scenario {
	c := s.Clone()
	c.Ops = append(slices.Clip(s.Ops), op)
	sound := op.Kind.Arms() && op.At <= c.Until && CheckOp(&op, "", c.Start) == nil
	if last := LastDue(op.At, op.Delay, op.Every, op.Times); sound && last > c.Until {
		c.Until = last + c.Rest()
	}
	return c
}

// WithLanes returns a copy of s with the given lanes. The copy has not been checked; the caller must plan it.
func (s *Scenario) WithLanes(lanes []LaneSpec) *Scenario {
	c := *s
	c.Lanes = lanes
	return &c
}
