package sim

import (
	"slices"
	"sync"
)

// timelineBuckets is the maximum number of buckets (ranges of ticks) into which a timeline divides a run.
const timelineBuckets = 2048

// Timeline summarizes a run. It divides the run into buckets of Bucket ticks and contains counts for each lane and
// bucket. The copy that [Run.Timeline] returns is not safe for concurrent use.
type Timeline struct {
	Computed int64 // last tick counted; -1 means none
	Done     bool
	Events   int64 // number of events up to tick Computed
	Bucket   int64 // number of ticks per bucket, a power of two
	Lanes    []TimelineLane

	mu sync.Mutex // guards the values in Lanes; in a Run, Run.mu guards Computed, Done and Events
}

// TimelineLane contains the values of one lane; each slice has one element per bucket. Live is the number of pending
// timers at the end of the bucket, and Cost is the highest cost of any tick with events in the bucket. Expire,
// Cascade, Reject and Finding are the numbers of events of these kinds in the bucket.
type TimelineLane struct {
	Live, Expire, Cascade, Reject, Cost, Finding []int64
}

// NewTimeline returns an empty timeline for a run with the given number of lanes. The parameter until is the last
// tick of the run.
func NewTimeline(lanes int, until int64) *Timeline {
	t := &Timeline{Computed: -1, Bucket: 1, Lanes: make([]TimelineLane, lanes)}
	for until/t.Bucket >= timelineBuckets {
		t.Bucket *= 2
	}
	n := until/t.Bucket + 1
	for i := range t.Lanes {
		all := make([]int64, 6*n)
		rows := slices.Collect(slices.Chunk(all, int(n)))
		t.Lanes[i] = TimelineLane{rows[0], rows[1], rows[2], rows[3], rows[4], rows[5]}
		for k := range t.Lanes[i].Live {
			t.Lanes[i].Live[k] = -1 // unknown: as in the bucket before
		}
	}
	return t
}

// Note adds d, the counts of one lane in the given tick, to the bucket that contains the tick. lane is the index
// of the lane.
func (t *Timeline) Note(lane int, tick int64, d TickCounts) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l, k := &t.Lanes[lane], tick/t.Bucket
	l.Live[k] = d.Live
	l.Expire[k] += d.Expire
	l.Cascade[k] += d.Cascade
	l.Reject[k] += d.Reject
	l.Cost[k] = max(l.Cost[k], d.cost)
	l.Finding[k] += d.Finding
}

// Clone returns a copy of t. In the copy, the Live of a bucket without events is that of the bucket before it, not -1.
func (t *Timeline) Clone() *Timeline {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := &Timeline{Computed: t.Computed, Done: t.Done, Events: t.Events, Bucket: t.Bucket, Lanes: make([]TimelineLane, len(t.Lanes))}
	for i, l := range t.Lanes {
		c.Lanes[i] = TimelineLane{slices.Clone(l.Live), slices.Clone(l.Expire), slices.Clone(l.Cascade), slices.Clone(l.Reject), slices.Clone(l.Cost), slices.Clone(l.Finding)}
		live := int64(0)
		for k, v := range c.Lanes[i].Live {
			if v >= 0 {
				live = v
			}
			c.Lanes[i].Live[k] = live
		}
	}
	return c
}

// openBucket holds the values of one lane in a bucket, counted up to the tick of a checkpoint, in the
// order live, expire, cascade, reject, cost, finding.
type openBucket [6]int64

// open returns, for each lane, the values counted so far in the bucket that contains tick.
func (t *Timeline) open(tick int64) []openBucket {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := tick / t.Bucket
	out := make([]openBucket, len(t.Lanes))
	for i, l := range t.Lanes {
		out[i] = openBucket{l.Live[k], l.Expire[k], l.Cascade[k], l.Reject[k], l.Cost[k], l.Finding[k]}
	}
	return out
}

// inherit copies all buckets before the one that contains tick from o to t. In t, it sets the bucket that contains tick
// to open, its values counted up to tick. The timelines t and o must have the same Bucket.
func (t *Timeline) inherit(o *Timeline, tick int64, open []openBucket) {
	o.mu.Lock()
	defer o.mu.Unlock()
	k := tick / t.Bucket
	for i := range t.Lanes {
		to, from := &t.Lanes[i], &o.Lanes[i]
		copy(to.Live[:k], from.Live)
		copy(to.Expire[:k], from.Expire)
		copy(to.Cascade[:k], from.Cascade)
		copy(to.Reject[:k], from.Reject)
		copy(to.Cost[:k], from.Cost)
		copy(to.Finding[:k], from.Finding)
		b := &open[i]
		to.Live[k], to.Expire[k], to.Cascade[k], to.Reject[k], to.Cost[k], to.Finding[k] = b[0], b[1], b[2], b[3], b[4], b[5]
	}
}

// AnyLane calls f for each lane of the run's timeline until f returns true, and reports whether f returned true.
// The arguments of f are the index of the lane, its values, and the numbers of the first and the last bucket with
// ticks in [from, to]. f must not retain l. All ticks in [from, to] must have been computed.
func (r *Run) AnyLane(from, to int64, f func(lane int, l *TimelineLane, first, last int64) bool) bool {
	t := r.timeline
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.Lanes {
		if f(i, &t.Lanes[i], max(from, 0)/t.Bucket, to/t.Bucket) {
			return true
		}
	}
	return false
}
