package templates

import (
	"cmp"
	"slices"
)

// queueShown is the maximum number of buckets or timers of a queue that are shown. If there are more, the number of
// the others follows.
const queueShown = 6

// queued is an entry of a queue as shown on the page: its name, a note beside it, and a tooltip.
type queued struct{ Name, Note, Title string }

// hasQueue reports whether lane l has a delay queue.
func (l *Lane) hasQueue() bool {
	return l.Algorithm == "kafka" && l.Params["drive"] != "tick" || l.Algorithm == "riicarus" || len(l.Queue) > 0
}

// buckets returns the slots in the delay queue of a lane, in order of due tick.
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

// queuedTimers returns the timers of a lane that have been scheduled but not placed into a slot yet. If marked is true,
// it instead returns those, in any place, that have been cancelled but not removed yet. The timers are sorted by ID.
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
