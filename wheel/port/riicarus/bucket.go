package riicarus

import (
	"cmp"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// bucket is a slot of a riicarus wheel: a binary heap by round, then by order of
// scheduling.
type bucket struct {
	entries []bucketEntry
	latest  wheel.Tick   // its timestamp: the tick that it waits for, 0: none
	waits   []wheel.Tick // ticks of its entries in the delay queue, the latest first
}

// bucketStays is the number of entries up to which an empty bucket keeps its memory: many
// timers that move round the wheel together must not leave their peak in every bucket.
const bucketStays = 64

type bucketEntry struct {
	round int64 // numbered from the start of the wheel
	order uint64
	index uint32 // of the node
}

func (e bucketEntry) compare(o bucketEntry) int {
	return cmp.Or(cmp.Compare(e.round, o.round), cmp.Compare(e.order, o.order))
}

// push adds an entry and returns the number of comparisons.
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

// pop removes the first entry of a bucket that is not empty. It returns the entry and the
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

// after returns the node of the first timer of a round later than `round`, or 0 if there is
// none. It examines every entry, and is only used to write events.
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

// enter records an entry in the delay queue. It returns false if that tick has an entry.
func (b *bucket) enter(at wheel.Tick) bool {
	k, there := slices.BinarySearchFunc(b.waits, at, func(w, at wheel.Tick) int { return cmp.Compare(at, w) })
	if !there {
		b.waits = slices.Insert(b.waits, k, at)
	}
	return !there
}

// comesOut removes the record of the earliest entry in the delay queue, since the queue
// returns them in order.
func (b *bucket) comesOut() { b.waits = b.waits[:len(b.waits)-1] }

// appendState appends the bucket's first timers, in order, as one place, unless it
// is empty.
func (b *bucket) appendState(s *wheel.State, a *core.Arena, slot uint32, most int) {
	count := len(b.entries)
	if count == 0 {
		return
	}
	if most == wheel.AllEntries || most > count {
		most = count
	}
	p := wheel.Place{Slot: slot, Count: count}
	if most > 0 {
		rest := bucket{entries: slices.Clone(b.entries)}
		p.Entries = s.Room(most)
		for range most {
			e, _ := rest.pop()
			p.Entries = append(p.Entries, a.Entry(e.index, e.round))
		}
	}
	s.Places = append(s.Places, p)
}
