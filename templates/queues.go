package templates

import (
	"cmp"
	"slices"
)

// queued is one entry of a queue as shown.
type queued struct{ Name, Note, Title string }

// hasQueue reports whether a delay queue drives a lane.
func (l *Lane) hasQueue() bool {
	return l.Algorithm == "kafka" && l.Params["drive"] != "tick" || l.Algorithm == "riicarus" || len(l.Queue) > 0
}

// buckets returns the delay queue's slots in the order of their due ticks.
func (p *Page) buckets(l *Lane) []queued {
	var list []queued
	for _, b := range l.Queue {
		place := num(int64(b.Slot))
		if rings(l) > 1 {
			place = num(int64(b.Level)) + "·" + place
		}
		list = append(list, queued{num(b.Due), place, p.Texts.T("lane.queue.bucket", "level", b.Level, "slot", b.Slot, "due", b.Due)})
	}
	return list
}

// queuedTimers returns the timers that a lane's worker has not placed yet, or the marked ones
// (cancelled, not removed yet), in order of id.
func queuedTimers(l *Lane, marked bool) []queued {
	var found []Timer
	for i := range l.Places {
		for _, t := range l.Places[i].Timers {
			if t.Marked == marked && (marked || l.Places[i].Level < 0) {
				found = append(found, t)
			}
		}
	}
	slices.SortFunc(found, func(a, b Timer) int { return cmp.Compare(a.ID, b.ID) })
	var list []queued
	for _, t := range found {
		list = append(list, queued{Name: t.Name})
	}
	return list
}
