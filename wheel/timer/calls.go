package timer

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/hugepage"
)

const (
	callPageBits = 12
	callPageSize = 1 << callPageBits
	callPagesFew = 4 // fewer are in the caches anyway
)

// calls holds what is to be called, 8 bytes a timer, in pages: growing copies
// nothing. A timer's number is its place in the wheel, which is its wheel.Spec.Key
// too; 0 is none.
type calls struct {
	pages [][]func()       // a page that compact has released is nil
	more  map[uint32]*more // of the few that have more than a function
}

// more is what some timers have beside their function. nil is a timer that has no more.
type more struct {
	keeps bool // keeps its place under MaxPending when it has fired, since it is scheduled again
	held  bool // keeps it now
}

// put keeps what is to be called for the timer at a place, in place of what one before it
// may have left there.
func (c *calls) put(id uint32, f func(), m *more) {
	number, k := int(id>>callPageBits), int(id&(callPageSize-1))
	if number >= len(c.pages) || k >= len(c.pages[number]) {
		c.grow(number)
	}
	c.pages[number][k] = f
	switch {
	case m == nil && len(c.more) > 0:
		delete(c.more, id)
	case m != nil:
		if c.more == nil {
			c.more = map[uint32]*more{}
		}
		c.more[id] = m
	}
}

// grow makes a page, and room for it.
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

// moreOf is what the timer at a place has beside its function, if it has.
func (c *calls) moreOf(id uint32) *more {
	if len(c.more) == 0 {
		return nil
	}
	return c.more[id]
}

// at returns what is to be called for the timer at a place, nil if it has ended.
func (c *calls) at(id uint32) (func(), *more) {
	page, k := c.pages[id>>callPageBits], int(id&(callPageSize-1))
	if k >= len(page) {
		return nil, nil
	}
	return page[k], c.moreOf(id)
}

// none says that nothing is to be called under a number any more: its timer has ended.
func (c *calls) none(id uint32) bool {
	number, k := int(id>>callPageBits), int(id&(callPageSize-1))
	return number >= len(c.pages) || k >= len(c.pages[number]) || c.pages[number][k] == nil
}

// warmAhead is how many calls are warmed at a time.
const warmAhead = 64

// warm reads what the next expiries call, the first of them a multiple of warmAhead:
// they lie anywhere, and reads that do nothing else wait for many lines of memory at
// once. What it gives means nothing: it is kept so that the reads are made. Out of larger
// functions the loop is shorter, and more reads are under way.
//
//go:noinline
func (c *calls) warm(next []wheel.Expiry) (empty uint32) {
	for i := range next[:min(warmAhead, len(next))] {
		id := next[i].Key
		page, k := c.pages[id>>callPageBits], int(id&(callPageSize-1))
		if k >= len(page) || page[k] == nil {
			empty++
		}
	}
	return empty
}

// remove ends the timer at a place, which has a call.
func (c *calls) remove(id uint32) {
	c.pages[id>>callPageBits][id&(callPageSize-1)] = nil
	if len(c.more) > 0 {
		delete(c.more, id)
	}
}

// callPagesAtOnce is how many pages compact examines: 16,384 places.
const callPagesAtOnce = 4

// compact releases those of callPagesAtOnce pages in which there is no call. It reports
// whether there are more pages.
func (c *calls) compact(from int) (more bool) {
	for k := from; k < min(from+callPagesAtOnce, len(c.pages)); k++ {
		if !slices.ContainsFunc(c.pages[k], func(f func()) bool { return f != nil }) {
			c.pages[k] = nil
		}
	}
	if len(c.more) == 0 {
		c.more = nil
	}
	return from+callPagesAtOnce < len(c.pages)
}
