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

// Next returns the due tick of the next timer. It returns false if there is none.
func (w *calendar) Next() (wheel.Tick, bool) { return w.NextWork(), w.head != 0 }

// Advance fires the timers that are due by the target tick, each at its due tick; see [wheel.Wheel].
func (w *calendar) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// AdvanceClock moves the clock to tick k, and counts the next timer as examined once per tick.
func (w *calendar) AdvanceClock(k wheel.Tick) {
	w.Costs.Slots += k - w.clock
	w.clock = k
}

// ProcessTick fires the timers that are due at the current tick and appends them to fired. They are all
// at the head of one list, that of the day of this tick.
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

// IdlePeak returns the cost of a tick at which no timer fires, and the tick after Now. The cost is 1, for
// examining the next timer. IdlePeak returns 0, 0 if the target tick is not after Now; see [wheel.Wheel].
func (w *calendar) IdlePeak(to wheel.Tick) (int64, wheel.Tick) { return core.RingPeak(w.clock, 1, to) }

// Clone returns an independent copy of the queue, without its log.
func (w *calendar) Clone() wheel.Wheel {
	c := *w
	c.ChainWheel = w.ChainWheel.Copy()
	return &c
}

// Check verifies the links and the order of every page, the list of timers for one day. It also
// verifies that each timer is on the page of its day, and that the fields count and head are
// correct.
func (w *calendar) Check() error {
	c := core.Checker{Arena: &w.Arena}
	least := wheel.TickMax + 1
	for s := range w.Chains {
		last := w.clock + 1
		c.Chain(&w.Chains[s], func(n *core.Node) {
			if n.Due < last || w.page(n.Due) != uint32(s) {
				c.Fail("timer %d, due %d, does not belong on page %d behind %d", n.Key, n.Due, s, last)
			}
			last, least = n.Due, min(least, n.Due)
		})
		c.Occupied(&w.Occupied, uint32(s), w.Chains[s].Count > 0)
	}
	if w.count != w.Arena.Live {
		c.Fail("%d timers are noted, %d are live", w.count, w.Arena.Live)
	}
	if w.head == 0 != (w.count == 0) || w.head != 0 && w.Arena.At(w.head).Due != least {
		c.Fail("the next timer is node %d, the least due is %d", w.head, least)
	}
	return c.Done()
}
