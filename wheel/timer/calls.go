package timer

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/hugepage"
)

const (
	callPageBits = 12
	callPageSize = 1 << callPageBits
	callPagesFew = 4 // number of first pages that get no huge pages, as they are in the caches anyway
)

// calls holds the function of every timer, 8 bytes per timer, in pages, so that growing copies
// nothing. The id of a timer is its place in the wheel, which is also its wheel.Spec.Key;
// 0 means no timer.
type calls struct {
	pages   [][]func()               // functions by id, callPageSize to a page; a page that compact has released is nil
	options map[uint32]*timerOptions // additional state, by id, of the few timers that need more than a function; nil means none
}

// timerOptions is the additional state of a timer that needs more than a function; nil for all others.
type timerOptions struct {
	keeps bool // whether it keeps its reservation under WithMaxPending after it has fired, since it is scheduled again
	held  bool // whether it holds a reservation under WithMaxPending now
}

// put stores the function f and the additional state m of the timer at the place id, and replaces
// those of an earlier timer.
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

// grow adds the page with the given number.
func (c *calls) grow(number int) {
	for number >= len(c.pages) {
		c.pages = append(c.pages, nil)
	}
	page := make([]func(), callPageSize)
	if number >= callPagesFew {
		hugepage.Advise(page)
	}
	c.pages[number] = page
}

// optionsOf returns the additional state of the timer at the place id, or nil if it has none.
func (c *calls) optionsOf(id uint32) *timerOptions {
	if len(c.options) == 0 {
		return nil
	}
	return c.options[id]
}

// at returns the function and the additional state of the timer at the place id, or nil if it has ended.
func (c *calls) at(id uint32) (func(), *timerOptions) {
	page, k := c.pages[id>>callPageBits], int(id&(callPageSize-1))
	if k >= len(page) {
		return nil, nil
	}
	return page[k], c.optionsOf(id)
}

// none reports whether the timer at the place id has ended.
func (c *calls) none(id uint32) bool {
	number, k := int(id>>callPageBits), int(id&(callPageSize-1))
	return number >= len(c.pages) || k >= len(c.pages[number]) || c.pages[number][k] == nil
}

// prefetchBatch is the number of functions that are prefetched at a time.
const prefetchBatch = 64

// prefetch prefetches the functions of the next expiries, the first of which has an index that is a
// multiple of prefetchBatch. The functions are scattered in memory. A short loop of reads waits for
// many cache lines at once, and prefetch is not inlined in order to keep the loop short. The result
// has no meaning, but the caller must use it so that the compiler does not remove the reads.
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

// remove ends the timer at the place id, which must have a function.
func (c *calls) remove(id uint32) {
	c.pages[id>>callPageBits][id&(callPageSize-1)] = nil
	if len(c.options) > 0 {
		delete(c.options, id)
	}
}

// callPagesAtOnce is the number of pages that compact examines: 16,384 places.
const callPagesAtOnce = 4

// compact releases those of callPagesAtOnce pages, starting at from, that have no function. It
// reports whether there are more pages.
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
