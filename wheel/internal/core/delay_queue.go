package core

import (
	"cmp"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// DelayQueue is a priority queue of slots, ordered by due tick and then by order of insertion. It
// is a binary heap, like java.util.concurrent.DelayQueue.
type DelayQueue struct {
	Items   []queued
	entered uint64 // number of calls to Push
}

// queued is an item of a DelayQueue.
type queued struct {
	wheel.Bucket
	order uint64 // number of the call to Push that added the item, counting from 1
}

// Before reports whether Items[a] leaves the queue before Items[b].
func (q *DelayQueue) Before(a, b int) bool { return compareQueued(q.Items[a], q.Items[b]) < 0 }

func compareQueued(a, b queued) int {
	return cmp.Or(cmp.Compare(a.Due, b.Due), cmp.Compare(a.order, b.order))
}

// Push adds slot b to the queue.
func (q *DelayQueue) Push(b wheel.Bucket) {
	q.entered++
	q.Items = append(q.Items, queued{b, q.entered})
	for k := len(q.Items) - 1; k > 0 && q.Before(k, (k-1)/2); k = (k - 1) / 2 {
		q.swap(k, (k-1)/2)
	}
}

// Pop removes and returns the head of the queue, which must not be empty.
func (q *DelayQueue) Pop() wheel.Bucket {
	head, last := q.Items[0], len(q.Items)-1
	q.swap(0, last)
	q.Items = q.Items[:last]
	for k := 0; ; {
		least := 2*k + 1
		if least+1 < last && q.Before(least+1, least) {
			least++
		}
		if least >= last || !q.Before(least, k) {
			return head.Bucket
		}
		q.swap(k, least)
		k = least
	}
}

func (q *DelayQueue) swap(a, b int) { q.Items[a], q.Items[b] = q.Items[b], q.Items[a] }

// AppendSorted appends the slots to dst, in the order in which they leave the queue, and returns the
// extended slice.
func (q *DelayQueue) AppendSorted(dst []wheel.Bucket) []wheel.Bucket {
	for _, item := range slices.SortedFunc(slices.Values(q.Items), compareQueued) {
		dst = append(dst, item.Bucket)
	}
	return dst
}

// Clone returns an independent copy of the queue.
func (q *DelayQueue) Clone() DelayQueue {
	return DelayQueue{append([]queued(nil), q.Items...), q.entered}
}

// Bytes returns the memory used by the queue, in bytes.
func (q *DelayQueue) Bytes() int64 { return int64(cap(q.Items)) * 24 }
