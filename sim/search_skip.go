package sim

// mayHold says whether what is sought can be in the ticks from … to, as far as
// the timeline tells: true where it does not know.
func (t *Timeline) mayHold(w Sought, from, to int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	first, last := max(from, 0)/t.Bucket, to/t.Bucket
	for i := range t.Lanes {
		if !w.covers(uint16(i)) {
			continue
		}
		for k := first; k <= last; k++ {
			if t.Lanes[i].mayHold(w, k) {
				return true
			}
		}
	}
	return false
}

func (l *TimelineLane) mayHold(w Sought, k int64) bool {
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
