package cursor

import (
	"slices"

	"github.com/wheelscope/wheelscope/sim"
)

// mayHold reports whether the ticks in [from, to] may contain a match of w, according to the timeline of r.
// It returns true for conditions that the timeline does not cover.
func mayHold(r *sim.Run, w Sought, from, to int64) bool {
	return r.AnyLane(from, to, func(lane int, l *sim.TimelineLane, first, last int64) bool {
		if !w.covers(uint16(lane)) {
			return false
		}
		above := func(column []int64, least int64) bool {
			return slices.ContainsFunc(column[first:last+1], func(n int64) bool { return n > least })
		}
		switch w.What {
		case WhatExpire:
			return above(l.Expire, 0)
		case WhatCascade:
			return above(l.Cascade, 0)
		case WhatReject:
			return above(l.Reject, 0)
		case WhatFinding:
			return above(l.Finding, 0)
		case WhatDiffer:
			return above(l.Expire, 0) || above(l.Reject, 0)
		case WhatCost:
			return above(l.Cost, w.Over)
		}
		return true
	})
}
