package wheel

import (
	"cmp"
	"slices"
)

// delayQueue holds slots by the tick they wait for, then order of entry: a binary
// heap, as java.util.concurrent.DelayQueue has one.
type delayQueue struct {
	items   []queued
	entered uint64 // entries so far
}

type queued struct {
	Bucket
	order uint64
}

func (q *delayQueue) before(a, b int) bool { return compareQueued(q.items[a], q.items[b]) < 0 }

func compareQueued(a, b queued) int {
	return cmp.Or(cmp.Compare(a.Due, b.Due), cmp.Compare(a.order, b.order))
}

func (q *delayQueue) push(b Bucket) {
	q.entered++
	q.items = append(q.items, queued{b, q.entered})
	for k := len(q.items) - 1; k > 0 && q.before(k, (k-1)/2); k = (k - 1) / 2 {
		q.swap(k, (k-1)/2)
	}
}

// pop takes out the head of a queue that is not empty.
func (q *delayQueue) pop() Bucket {
	head, last := q.items[0], len(q.items)-1
	q.swap(0, last)
	q.items = q.items[:last]
	for k := 0; ; {
		least := 2*k + 1
		if least+1 < last && q.before(least+1, least) {
			least++
		}
		if least >= last || !q.before(least, k) {
			return head.Bucket
		}
		q.swap(k, least)
		k = least
	}
}

func (q *delayQueue) swap(a, b int) { q.items[a], q.items[b] = q.items[b], q.items[a] }

// appendSorted appends the slots in the order in which they will come out.
func (q *delayQueue) appendSorted(to []Bucket) []Bucket {
	for _, item := range slices.SortedFunc(slices.Values(q.items), compareQueued) {
		to = append(to, item.Bucket)
	}
	return to
}

func (q *delayQueue) clone() delayQueue {
	return delayQueue{append([]queued(nil), q.items...), q.entered}
}

func (q *delayQueue) bytes() int64 { return int64(cap(q.items)) * 24 }
