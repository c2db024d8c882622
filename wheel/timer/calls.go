package timer

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

const (
	callPageBits = 12
	callPageSize = 1 << callPageBits
)

// calls stores the functions of a shard's timers by ID, 8 bytes per timer. It is divided into
// pages, so it grows without copying. The ID of a timer is the index of its handle, which is also
// its wheel.Spec.Key (see wheel.PlaceKey). No timer has the ID 0.
type calls [][]func()

// put stores the function f for the timer with the given ID.
func (c *calls) put(id uint32, f func()) {
	number := int(id >> callPageBits)
	for number >= len(*c) {
		*c = append(*c, make([]func(), callPageSize))
	}
	(*c)[number][id&(callPageSize-1)] = f
}

// at returns the function of the timer with the given ID, or nil if the timer has ended.
func (c calls) at(id uint32) func() {
	number := int(id >> callPageBits)
	if number >= len(c) {
		return nil
	}
	return c[number][id&(callPageSize-1)]
}

// prefetchBatch is the maximum number of functions that one call to prefetch loads into the processor's cache.
const prefetchBatch = 64

// prefetch loads the functions of the first prefetchBatch expiries in next, or of all if there are
// fewer, into the processor's cache. The functions are scattered in memory, and a short loop that only
// reads can wait for many cache lines at the same time. prefetch is not inlined, to keep its loop short. The
// result has no meaning, but the caller must store it so that the compiler does not remove the reads.
//
//go:noinline
func (c calls) prefetch(next []wheel.Expiry) (empty uint32) {
	for i := range next[:min(prefetchBatch, len(next))] {
		if c.at(next[i].Key) == nil {
			empty++
		}
	}
	return empty
}

// remove removes the function of the timer with the given ID, which must exist.
func (c calls) remove(id uint32) { c[id>>callPageBits][id&(callPageSize-1)] = nil }

// compact releases the last page if it has no functions. It reports whether it did, so that the one before may follow.
func (c *calls) compact() (more bool) {
	last := len(*c) - 1
	if last < 0 || slices.ContainsFunc((*c)[last], func(f func()) bool { return f != nil }) {
		return false
	}
	(*c)[last] = nil
	*c = (*c)[:last]
	return true
}
