package cursor

import "github.com/wheelscope/wheelscope/sim"

// mayHold reports whether there may be a match of w in the ticks from `from` to `to`, according to
// the timeline of r. It returns true for conditions that the timeline does not cover.
func mayHold(r *sim.Run, w Sought, from, to int64) bool {
	return r.AnyBucket(from, to, func(lane int, l *sim.TimelineLane, k int64) bool {
		return w.covers(uint16(lane)) && laneMayHold(l, w, k)
	})
}

func laneMayHold(l *sim.TimelineLane, w Sought, k int64) bool {
	switch w.What {
	case WhatExpire:
		return l.Expire[k] > 0
	case WhatCascade:
		return l.Cascade[k] > 0
	case WhatReject:
		return l.Reject[k] > 0
	case WhatFinding:
		return l.Finding[k] > 0
	case WhatDiffer:
		return l.Expire[k] > 0 || l.Reject[k] > 0
	case WhatCost:
		return l.Cost[k] > w.Over
	}
	return true
}
