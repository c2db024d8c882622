package riicarus

import (
	"cmp"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// bucket is a slot of a riicarus wheel: a binary heap of timers, ordered by round, then by order of
// scheduling.
type bucket struct {
	entries []bucketEntry
	latest  wheel.Tick   // timestamp of the bucket: the tick for which the bucket waits in the delay queue; 0 if it is not waiting
	waits   []wheel.Tick // ticks of the bucket's entries in the delay queue, in descending order
}

// bucketStays is the maximum capacity, in entries, that an empty bucket keeps. Without this limit, a
// large group of timers that moves from bucket to bucket would leave every bucket with a large capacity.
const bucketStays = 64

type bucketEntry struct {
	round int64 // number of the revolution for which the timer is scheduled, counted from 0 at Config.Start
	order uint64
	index uint32 // index of the timer's node in the arena
}

func (e bucketEntry) compare(o bucketEntry) int {
	return cmp.Or(cmp.Compare(e.round, o.round), cmp.Compare(e.order, o.order))
}

// push adds entry e and returns the number of comparisons.
func (b *bucket) push(e bucketEntry) (compared int) {
	b.entries = append(b.entries, e)
	for k := len(b.entries) - 1; k > 0; {
		up := (k - 1) / 2
		compared++
		if e.compare(b.entries[up]) >= 0 {
			break
		}
		b.entries[k], b.entries[up] = b.entries[up], e
		k = up
	}
	return compared
}

// pop removes the first entry of the bucket, which must not be empty, and returns it with the
// number of comparisons.
func (b *bucket) pop() (first bucketEntry, compared int) {
	first = b.entries[0]
	last := len(b.entries) - 1
	e := b.entries[last]
	b.entries = b.entries[:last]
	for k := 0; k < last; {
		least := 2*k + 1
		if least+1 < last {
			compared++
			if b.entries[least+1].compare(b.entries[least]) < 0 {
				least++
			}
		}
		if least < last {
			compared++
		}
		if least >= last || e.compare(b.entries[least]) <= 0 {
			b.entries[k] = e
			break
		}
		b.entries[k] = b.entries[least]
		k = least
	}
	return first, compared
}

// after returns the arena index of the first timer in the bucket whose round is later than the given
// round, or 0 if there is none. It is called only if events are recorded, because it examines every
// entry.
func (b *bucket) after(a *core.Arena, round int64) uint32 {
	var first *bucketEntry
	for k := range b.entries {
		if !a.Spend(1) {
			return 0
		}
		if e := &b.entries[k]; e.round > round && (first == nil || e.compare(*first) < 0) {
			first = e
		}
	}
	if first == nil {
		return 0
	}
	return first.index
}

// enter adds the given tick to b.waits. It returns false if b.waits already contains that tick.
func (b *bucket) enter(at wheel.Tick) bool {
	k, there := slices.BinarySearchFunc(b.waits, at, func(w, at wheel.Tick) int { return cmp.Compare(at, w) })
	if !there {
		b.waits = slices.Insert(b.waits, k, at)
	}
	return !there
}

// dequeued removes the earliest tick from waits. It is called when the delay queue has returned an
// entry of the bucket, which is always the earliest of the bucket's entries.
func (b *bucket) dequeued() { b.waits = b.waits[:len(b.waits)-1] }

// appendState appends the bucket to s as the slot with the given number. It includes the first
// timers in order, at most limit of them, or all if limit is wheel.AllEntries. If the bucket is
// empty, appendState does nothing.
func (b *bucket) appendState(s *wheel.State, a *core.Arena, slot uint32, limit int) {
	count := len(b.entries)
	if count == 0 {
		return
	}
	if limit == wheel.AllEntries || limit > count {
		limit = count
	}
	p := wheel.Place{Slot: slot, Count: count}
	if limit > 0 {
		rest := bucket{entries: slices.Clone(b.entries)}
		p.Entries = s.Room(limit)
		for range limit {
			e, _ := rest.pop()
			p.Entries = append(p.Entries, a.Entry(e.index, e.round))
		}
	}
	s.Places = append(s.Places, p)
}
