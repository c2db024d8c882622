package engine

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// LaneStats summarizes the run of a lane. Ticks and lateness are in base ticks, costs in units of work. LateP99 is
// the 99th percentile of the lateness. Pending is the current number of pending timers, and LivePeak the highest
// number at the end of a tick.
type LaneStats struct {
	Fired, Cancelled, Rejected int64
	Early, EarlyMax            int64
	Late, LateMax, LateP99     int64
	Findings                   int64
	Cost                       wheel.Cost
	Worst, WorstAt             int64 // cost of the costliest tick, and the first tick with that cost
	Pending, LivePeak          int64
	BytesPeak                  int64 // memory in bytes when the number of pending timers was highest
	Operations                 int64 // operations of the workload, and runs that fired
	PassedOver                 int64 // timers read or compared besides those scheduled, cancelled, fired or moved
	Ticks                      int64 // ticks in which the lane had events
}

// Lateness counts the timers that a lane fires, grouped by lateness, and records the highest number of pending
// timers.
type Lateness struct {
	Count map[int64]int64 // number of timers fired, by lateness in base ticks
	// High is the maximum lateness and Low the minimum lateness of the timers fired, in base ticks; High is at
	// least 0, and Low at most 0. A caller may set both to 0 to begin a new period.
	High, Low int64
	livePeak  int64 // highest number of pending timers at the end of a tick
	bytesPeak int64 // memory of the wheel, in bytes, when the number of pending timers reached livePeak
}

// Measure makes all lanes of the engine record lateness and peak memory, which Lane.Stats then includes.
func (e *Engine) Measure() {
	for _, l := range e.Lanes {
		l.Lateness = &Lateness{Count: make(map[int64]int64)}
	}
}

// Add counts a timer that fired the given number of base ticks late, or early if the number is negative.
func (l *Lateness) Add(late int64) {
	l.Count[late]++
	l.High, l.Low = max(l.High, late), min(l.Low, late)
}

// measure records the number of pending timers and the memory of w if more timers are pending than at any
// previous call.
func (l *Lateness) measure(w wheel.Observable) {
	if live := int64(w.Len()); live > l.livePeak {
		l.livePeak = live
		l.bytesPeak = w.Bytes()
	}
}

// Sorted returns the keys of Count, which are the distinct values of lateness, in ascending order.
func (l *Lateness) Sorted() []int64 {
	keys := make([]int64, 0, len(l.Count))
	for k := range l.Count {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Stats returns the summary of the lane so far. EarlyMax, LateMax, LateP99, LivePeak and BytesPeak are zero
// unless Engine.Measure was called.
func (l *Lane) Stats() LaneStats {
	s := l.Snapshot(0)
	out := LaneStats{Fired: s.Counts.Expired, Cancelled: s.Counts.Cancelled, Rejected: s.Counts.Rejected,
		Early: s.Counts.Early, Late: s.Counts.Late, Findings: s.Counts.Findings,
		Cost: l.Wheel.Cost(), Worst: l.cost.Worst, WorstAt: l.cost.WorstAt, Pending: int64(s.Live),
		Operations: int64(l.next) + s.Counts.Expired, PassedOver: PassedOver(l.Wheel.Cost(), &s.Counts), Ticks: l.ticks}
	if l.Lateness == nil {
		return out
	}
	out.LivePeak, out.BytesPeak = l.Lateness.livePeak, l.Lateness.bytesPeak
	keys := l.Lateness.Sorted()
	if len(keys) > 0 {
		out.EarlyMax = max(0, -keys[0])
		out.LateMax = max(0, keys[len(keys)-1])
		out.LateP99 = max(0, l.Lateness.Percentile(keys, 99))
	}
	return out
}

// PassedOver returns the number of timers that a wheel has read or compared besides one for each timer that it scheduled,
// cancelled, fired or moved: the timers of other rounds or due ticks that it met on the way.
func PassedOver(c wheel.Cost, n *wheel.Counts) int64 {
	return max(0, c.Touched+c.Compared-(n.Scheduled-n.Rejected)-n.Cancelled-n.Expired-c.Moved)
}

// Percentile returns the smallest lateness x such that at least p percent of the timers fired were late by
// at most x, or 0 if no timers have fired. keys must be the result of Sorted.
func (l *Lateness) Percentile(keys []int64, p int64) int64 {
	var all, sum int64
	for _, k := range keys {
		all += l.Count[k]
	}
	for _, k := range keys {
		if sum += l.Count[k]; sum*100 >= all*p {
			return k
		}
	}
	return 0
}
