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
type calls struct {
	pages   [][]func()               // functions by ID, in pages of callPageSize functions; a page that compact has released is nil
	options map[uint32]*timerOptions // additional state by ID, for the few timers that have any; nil if none has
}

// timerOptions is the additional state of a timer that is scheduled repeatedly (see Repeat). Other timers have none.
type timerOptions struct {
	keeps bool // whether the timer continues to count against WithMaxPending when it fires, because it will be scheduled again
	held  bool // whether the timer counts against WithMaxPending although it is not scheduled at the moment
}

// put stores function f and additional state m, which may be nil, for the timer with the given ID.
// They replace those of an earlier timer with the same ID.
func (c *calls) put(id uint32, f func(), m *timerOptions) {
	number, k := int(id>>callPageBits), int(id&(callPageSize-1))
	if number >= len(c.pages) || k >= len(c.pages[number]) {
		c.grow(number)
	}
	c.pages[number][k] = f
	switch {
	case m == nil && len(c.options) > 0:
		delete(c.options, id)
	case m != nil:
		if c.options == nil {
			c.options = map[uint32]*timerOptions{}
		}
		c.options[id] = m
	}
}

// grow allocates the page c.pages[number].
func (c *calls) grow(number int) {
	for number >= len(c.pages) {
		c.pages = append(c.pages, nil)
	}
	c.pages[number] = make([]func(), callPageSize)
}

// optionsOf returns the additional state of the timer with the given ID, or nil if it has none.
func (c *calls) optionsOf(id uint32) *timerOptions {
	if len(c.options) == 0 {
		return nil
	}
	return c.options[id]
}

// at returns the function and the additional state of the timer with the given ID. The function is nil if the timer
// has ended, and the state is nil if the timer has none.
func (c *calls) at(id uint32) (func(), *timerOptions) {
	page, k := c.pages[id>>callPageBits], int(id&(callPageSize-1))
	if k >= len(page) {
		return nil, nil
	}
	return page[k], c.optionsOf(id)
}

// hasEnded reports whether the timer with the given ID has ended, that is, whether no function is stored for it.
func (c *calls) hasEnded(id uint32) bool {
	number, k := int(id>>callPageBits), int(id&(callPageSize-1))
	return number >= len(c.pages) || k >= len(c.pages[number]) || c.pages[number][k] == nil
}

// prefetchBatch is the maximum number of functions that one call to prefetch loads into the processor's cache.
const prefetchBatch = 64

// prefetch loads the functions of the first prefetchBatch expiries in next, or of all if there are
// fewer, into the processor's cache. The functions are scattered in memory, and a short loop that only
// reads can wait for many cache lines at the same time. prefetch is not inlined, to keep its loop short. The
// result has no meaning, but the caller must store it so that the compiler does not remove the reads.
//
//go:noinline
func (c *calls) prefetch(next []wheel.Expiry) (empty uint32) {
	for i := range next[:min(prefetchBatch, len(next))] {
		id := next[i].Key
		page, k := c.pages[id>>callPageBits], int(id&(callPageSize-1))
		if k >= len(page) || page[k] == nil {
			empty++
		}
	}
	return empty
}

// remove removes the function and the additional state of the timer with the given ID, which must exist.
func (c *calls) remove(id uint32) {
	c.pages[id>>callPageBits][id&(callPageSize-1)] = nil
	if len(c.options) > 0 {
		delete(c.options, id)
	}
}

// callPagesAtOnce is the maximum number of pages, of callPageSize functions each, that calls.compact examines per call.
const callPagesAtOnce = 4

// compact examines up to callPagesAtOnce pages, starting with index from, and releases those
// without functions. It reports whether more pages follow.
func (c *calls) compact(from int) (more bool) {
	for k := from; k < min(from+callPagesAtOnce, len(c.pages)); k++ {
		if !slices.ContainsFunc(c.pages[k], func(f func()) bool { return f != nil }) {
			c.pages[k] = nil
		}
	}
	if len(c.options) == 0 {
		c.options = nil
	}
	return from+callPagesAtOnce < len(c.pages)
}
