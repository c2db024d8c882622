package cursor

import (
	"slices"

	"github.com/wheelscope/wheelscope/sim"
)

// mayHold reports whether, according to the timeline of r, the ticks in [from, to] may contain a match of
// query q. It returns true for conditions that the timeline does not cover.
func mayHold(r *sim.Run, q Query, from, to int64) bool {
	return r.AnyLane(from, to, func(lane int, l *sim.TimelineLane, first, last int64) bool {
		if !q.covers(uint16(lane)) {
			return false
		}
		above := func(column []int64, least int64) bool {
			return slices.ContainsFunc(column[first:last+1], func(n int64) bool { return n > least })
		}
		switch q.Condition {
		case ConditionExpire:
			return above(l.Expire, 0)
		case ConditionCascade:
			return above(l.Cascade, 0)
		case ConditionReject:
			return above(l.Reject, 0)
		case ConditionFinding:
			return above(l.Finding, 0)
		case ConditionDiffer:
			return above(l.Expire, 0) || above(l.Reject, 0)
		case ConditionCost:
			return above(l.Cost, q.Over)
		}
		return true
	})
}
