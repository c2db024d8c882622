package calendar

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// NextWork returns the due tick of the next timer, or 0 if there is none.
func (w *calendar) NextWork() int64 {
	if w.head == 0 {
		return 0
	}
	return w.Arena.At(w.head).Due
}

// Next returns the due tick of the next timer, and false if there is none.
func (w *calendar) Next() (wheel.Tick, bool) { return w.NextWork(), w.head != 0 }

// Advance fires the timers due by tick `to`, each at its due tick; see [wheel.Wheel].
func (w *calendar) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// AdvanceClock moves the clock to tick k, and adds the cost of examining the next timer at each
// tick.
func (w *calendar) AdvanceClock(k wheel.Tick) {
	w.Costs.Slots += k - w.clock
	w.clock = k
}

// ProcessTick fires the timers due at the current tick, which are the first ones of one page.
func (w *calendar) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	for w.head != 0 && w.Arena.Spend(1) {
		i := w.head
		n := w.Arena.At(i)
		if n.Due > w.clock {
			break
		}
		w.Costs.Touched++
		s := w.page(n.Due)
		w.remove(i, n)
		fired = w.Expire(w, i, n, 0, s, fired)
		w.shrink()
	}
	return fired
}

// IdlePeak returns the cost of one examination and the next tick, or 0, 0 if that is after `to`.
func (w *calendar) IdlePeak(to wheel.Tick) (int64, wheel.Tick) { return core.RingPeak(w.clock, 1, to) }

// Layout returns the layout of the queue: a ring whose slots are the days of a year.
func (w *calendar) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeRing, Levels: []wheel.Level{{Level: 0, Slots: len(w.pages), Width: w.day}}}
}

// AppendState appends the pages with timers to s as slots, and sets the counts.
func (w *calendar) AppendState(s *wheel.State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	for i := range w.pages {
		w.pages[i].AppendState(s, &w.Arena, uint32(i), most)
	}
	s.Counts, s.Live = w.Counts, w.Arena.Live
}

// Clone returns an independent copy of the queue, without its log.
func (w *calendar) Clone() wheel.Wheel {
	c := *w
	c.Log = nil
	c.Arena, c.occ = w.Arena.Clone(), w.occ.Clone()
	c.pages = append([]core.Chain(nil), w.pages...)
	return &c
}

// Bytes returns the memory of the arena, the pages and the bitmap of occupied pages in bytes.
func (w *calendar) Bytes() int64 {
	return w.Arena.Bytes() + int64(cap(w.pages))*12 + w.occ.Bytes()
}

// Check verifies the links and the order of every page, that each timer is on the page of its day,
// the number of timers, and the next timer.
func (w *calendar) Check() error {
	c := core.Checker{Arena: &w.Arena}
	least := wheel.TickMax + 1
	for s := range w.pages {
		last := w.clock + 1
		c.Chain(&w.pages[s], func(n *core.Node) {
			if n.Due < last || w.page(n.Due) != uint32(s) {
				c.Fail("timer %d, due %d, does not belong on page %d behind %d", n.Key, n.Due, s, last)
			}
			last, least = n.Due, min(least, n.Due)
		})
		c.Occupied(&w.occ, uint32(s), w.pages[s].Count > 0)
	}
	if w.count != w.Arena.Live {
		c.Fail("%d timers are noted, %d are live", w.count, w.Arena.Live)
	}
	if w.head == 0 != (w.count == 0) || w.head != 0 && w.Arena.At(w.head).Due != least {
		c.Fail("the next timer is node %d, the least due is %d", w.head, least)
	}
	return c.Done()
}
