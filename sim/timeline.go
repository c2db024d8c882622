package sim

import (
	"slices"
	"sync"
)

// timelineBuckets bounds the buckets of a timeline.
const timelineBuckets = 2048

// Timeline summarises a run: it holds counts for each lane and each bucket of Bucket ticks.
type Timeline struct {
	Computed int64 // the last tick counted
	Done     bool
	Events   int64 // up to that tick
	Bucket   int64 // ticks per bucket: a power of two
	Lanes    []TimelineLane

	mu sync.Mutex
}

// TimelineLane holds, for each bucket, the number of events by kind, the number of pending
// timers at its end, and the cost of its costliest busy tick.
type TimelineLane struct {
	Live, Expire, Cascade, Reject, Cost, Finding []int64
}

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

// note adds the counts of a lane in a tick.
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

// clone returns a copy for a reader, in which Live of a bucket without events is that of the
// bucket before.
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

// openBucket holds one lane's counts in the bucket of a checkpoint up to its tick: live,
// expire, cascade, reject, cost, finding.
type openBucket [6]int64

// open returns every lane's bucket of a tick.
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

// inherit copies from another timeline with the same bucket size everything before the bucket
// of a tick. The counts of that bucket up to the tick are in open.
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
