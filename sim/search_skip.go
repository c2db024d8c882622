package sim

// mayHold reports whether there may be a match in the ticks from … to. It returns true if the
// timeline does not show it.
func mayHold(t *Timeline, w Sought, from, to int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	first, last := max(from, 0)/t.Bucket, to/t.Bucket
	for i := range t.Lanes {
		if !w.covers(uint16(i)) {
			continue
		}
		for k := first; k <= last; k++ {
			if laneMayHold(&t.Lanes[i], w, k) {
				return true
			}
		}
	}
	return false
}

func laneMayHold(l *TimelineLane, w Sought, k int64) bool {
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
