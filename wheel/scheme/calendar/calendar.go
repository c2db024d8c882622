package calendar

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Config holds the initial geometry of a calendar queue. Each slot covers one day, and all slots
// together cover one year.
type Config struct {
	Slots int        // number of slots, 1 to SlotsMax; this is also the number of days per year
	Day   wheel.Tick // base ticks per day, 1 or more
	Start wheel.Tick // initial tick of the clock
	Fixed bool       // whether Slots and Day never change; otherwise they change with the number of timers
}

// calendar is a calendar queue: an array of pages, one for each day of the year. A page is a list
// of timers in order of due tick; they are due on this day of the current year or of a later one.
type calendar struct {
	// Chains[i] is the page for day i of every year, a list of timers in order of due tick. Width is
	// the number of base ticks per day.
	core.ChainWheel
	clock wheel.Tick
	count int    // number of timers
	head  uint32 // index of the node of the next timer to fire; 0 if there are no timers
	fixed bool   // whether the number and the width of the days never change
}

// daysMax is the maximum number of days per year, which is the number of lists of timers. It is
// enough for two million timers; with more timers, the lists grow longer.
const daysMax = 1 << 20

// searchMax limits the search for the position of a new timer on its page, a list in order of due
// tick. If more than searchMax timers of the page are due after the new timer, the new timer is
// rejected.
const searchMax = 20000

// New returns an empty queue with configuration c. It returns a *wheel.ParamError if a field of c
// is out of range.
func New(c Config) (wheel.Observable, error) {
	if err := core.CheckSlots("slots", c.Slots); err != nil {
		return nil, err
	}
	if c.Day < 1 || c.Day > wheel.WidthMax {
		return nil, &wheel.ParamError{Name: "day", Found: fmt.Sprint(c.Day), Want: "between %d and %d", Args: []any{1, int64(wheel.WidthMax)}}
	}
	if err := core.CheckStart(c.Start); err != nil {
		return nil, err
	}
	w := &calendar{clock: c.Start, fixed: c.Fixed}
	w.Reached, w.Width = c.Start, c.Day
	w.SetSlots(c.Slots)
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(Config{int(p["slots"].(int64)), p["day"].(int64), s.Start, p["resize"] == "off"})
}

// page returns the index in w.Chains of the page for tick e, that is, the list of timers for the day that
// contains e. The same day of every year has the same page.
func (w *calendar) page(e wheel.Tick) uint32 { return uint32(e / w.Width % int64(len(w.Chains))) }

// Schedule adds the timer described by s to the list for its day. It costs one comparison for each
// timer that follows the new one in this list, and one for the timer before it. See [wheel.Wheel]
// for the results.
func (w *calendar) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

func (w *calendar) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	if n.Due <= w.clock {
		return w.AtOnce(n, w.clock)
	}
	s := w.page(n.Due)
	next, ok := w.search(s, n.Due)
	if w.Arena.Aborted {
		return core.BadAborted
	}
	if !ok {
		return core.BadCapacity
	}
	w.insert(s, i, n, next)
	if w.Log != nil {
		w.EmitInsert(n, wheel.NoLevel, 0, s, next)
	}
	if w.head == 0 || n.Due < w.Arena.At(w.head).Due {
		w.head = i
	}
	if !w.fixed && w.count > 2*len(w.Chains) && len(w.Chains) < daysMax {
		w.resize(min(2*len(w.Chains), daysMax))
		if w.Arena.Aborted {
			return core.BadAborted
		}
	}
	return core.Placed
}

// search returns the index of the node in w.Chains[s] before which to insert a timer due at tick e, or 0
// to insert it at the end. It searches from the end. ok is false if more than searchMax timers of
// w.Chains[s] are due after e.
func (w *calendar) search(s uint32, e wheel.Tick) (next uint32, ok bool) {
	passed := 0
	for i := w.Chains[s].Tail; i != 0 && w.Arena.Spend(1); i = w.Arena.At(i).Slot {
		w.Costs.Compared++
		if w.Arena.At(i).Due <= e {
			return next, true
		}
		if passed++; passed > searchMax {
			return 0, false
		}
		next = i
	}
	return next, true
}

// insert inserts node n, which has index i, into the list w.Chains[s]: before the node with index next,
// or at the end if next is 0.
func (w *calendar) insert(s, i uint32, n *core.Node, next uint32) {
	w.Link(s, i, n, next)
	w.count++
}

// Cancel removes timer t in O(1) time. If t was the next timer to fire, Cancel also searches for
// the one after it, and if few timers are left, it may halve the number of days. It returns false
// if t is not scheduled.
func (w *calendar) Cancel(t wheel.Timer) bool {
	n := w.Arena.Find(t)
	if n == nil {
		return false
	}
	w.CountCancel(n, w.page(n.Due))
	w.remove(t.Index(), n)
	w.Arena.Release(t.Index(), n)
	w.shrink()
	return true
}

// remove removes node n, which has index i, from the list for its day. If its timer was the next one to
// fire, remove searches for the timer that is now the next one and updates w.head.
func (w *calendar) remove(i uint32, n *core.Node) {
	s := w.page(n.Due)
	w.Unlink(s, n)
	w.count--
	if i == w.head {
		w.head = w.nextFrom(n.Due)
	}
}

// nextFrom returns the index of the node with the earliest due tick, or 0 if there are no timers. The
// caller must guarantee that no timer is due before tick e. nextFrom first searches the days of one
// year, beginning with the day of e. If no timer is due in that year, it compares the first timers of
// all lists. It counts one slot per list searched, and one comparison per timer examined.
func (w *calendar) nextFrom(e wheel.Tick) uint32 {
	if w.count == 0 {
		return 0
	}
	n := int64(len(w.Chains))
	today := e / w.Width
	for ahead := int64(0); w.Arena.Spend(1); {
		s := uint32((today + ahead) % n)
		if !w.Occupied.Has(s) {
			ahead += w.Occupied.Ahead(s, n)
			s = uint32((today + ahead) % n)
		}
		if ahead >= n {
			break
		}
		w.Costs.Compared++
		if i := w.Chains[s].Head; w.Arena.At(i).Due/w.Width == today+ahead {
			w.Costs.Slots += ahead + 1
			return i
		}
		ahead++
	}
	w.Costs.Slots += n
	return w.least()
}

// least returns the index of the node with the earliest due tick. It compares the first timers of all
// lists in w.Chains.
func (w *calendar) least() uint32 {
	best := uint32(0)
	for s := w.Occupied.Next(0); s >= 0 && w.Arena.Spend(1); s = w.Occupied.Next(uint32(s) + 1) {
		w.Costs.Compared++
		if i := w.Chains[s].Head; best == 0 || w.Arena.At(i).Due < w.Arena.At(best).Due {
			best = i
		}
	}
	w.Costs.Slots += int64(len(w.Chains))
	return best
}

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
func (w *calendar) Clone() wheel.Observable {
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

// shrink halves n, the number of days per year, if there are fewer than n/2−2 timers. It does
// nothing if w.fixed is set or n is 2 or less.
func (w *calendar) shrink() {
	if n := len(w.Chains); !w.fixed && n > 2 && w.count < n/2-2 {
		w.resize(n / 2)
	}
}

// resize changes the calendar to n days of a new width. It adds every timer again in order of due
// tick, so each goes to the end of the list for its day after one comparison. It emits a resize event,
// and a place event for each timer whose new list has another index than its old list.
func (w *calendar) resize(n int) {
	all := w.inOrder()
	if w.Arena.Aborted {
		return
	}
	old := calendar{ChainWheel: core.ChainWheel{Chains: w.Chains, Width: w.Width}}
	w.Costs.Slots += int64(len(old.Chains))
	w.Width = w.newDay(all)
	w.SetSlots(n)
	w.count = 0
	if w.Log != nil {
		w.Emit(wheel.Event{Kind: wheel.KindResize, FromSlot: uint32(n), X: w.Width, ToLevel: wheel.NoLevel})
	}
	next := w.successors(all, &old)
	for k, i := range all {
		if !w.Arena.Spend(1) {
			return
		}
		w.Costs.Touched++
		w.Costs.Compared++
		w.Costs.Moved++
		t := w.Arena.At(i)
		from, to := old.page(t.Due), w.page(t.Due)
		w.insert(to, i, t, 0)
		if from != to && w.Log != nil {
			w.EmitInsert(t, 0, from, to, next[k])
		}
	}
}

// successors returns the positions for the place events of a resize. all contains the nodes of all timers in order of
// due tick, and old is the calendar before the resize. Element k of the result is the node before which the event of
// timer all[k] inserts the timer into its new list, or 0 if the event inserts it at the end. The result is nil if there
// is no log.
//
// Place events are emitted in order of due tick, and only for timers whose new list has another index than their old
// list. When the event of a timer is applied, all later timers are still in their old lists. The event therefore
// inserts the timer before the first later timer whose old list and new list both have the index of the timer's new
// list.
func (w *calendar) successors(all []uint32, old *calendar) []uint32 {
	if w.Log == nil {
		return nil
	}
	next, first := make([]uint32, len(all)), make([]uint32, len(w.Chains))
	for k := len(all) - 1; k >= 0 && w.Arena.Spend(1); k-- {
		e := w.Arena.At(all[k]).Due
		s := w.page(e)
		next[k] = first[s]
		if s == old.page(e) {
			first[s] = all[k]
		}
	}
	return next
}

// inOrder returns the nodes of all timers in order of due tick. It is a merge sort that starts with
// the lists in w.Chains, which are already sorted. The result is incomplete if the wheel is aborted
// during the call.
func (w *calendar) inOrder() []uint32 {
	all := make([]uint32, 0, w.count)
	var ends []int // index after each sorted section of all
	for s := w.Occupied.Next(0); s >= 0; s = w.Occupied.Next(uint32(s) + 1) {
		for i := w.Chains[s].Head; i != 0 && w.Arena.Spend(1); i = w.Arena.At(i).Pos {
			all = append(all, i)
		}
		ends = append(ends, len(all))
	}
	for merged := make([]uint32, len(all)); len(ends) > 1 && !w.Arena.Aborted; all, merged = merged, all {
		from, pairs := 0, (len(ends)+1)/2
		for k := range pairs {
			middle, end := ends[2*k], ends[min(2*k+1, len(ends)-1)]
			w.merge(merged[from:end], all[from:middle], all[middle:end])
			ends[k], from = end, end
		}
		ends = ends[:pairs]
	}
	return all
}

// merge merges the nodes in a and b, which are sorted by due tick, into dst, whose length must be
// len(a)+len(b). If due ticks are equal, the timers of a come first.
func (w *calendar) merge(dst, a, b []uint32) {
	for k := range dst {
		if !w.Arena.Spend(1) {
			return
		}
		if len(b) == 0 || len(a) > 0 && w.Arena.At(a[0]).Due <= w.Arena.At(b[0]).Due {
			dst[k], a = a[0], a[1:]
		} else {
			dst[k], b = b[0], b[1:]
		}
	}
}

// sampleMax is the maximum number of timers from which newDay computes a width.
const sampleMax = 25

// newDay returns the new length of a day, in base ticks, according to the rule in Brown's paper. all
// contains the nodes of all timers in order of due tick. newDay takes a sample of the first timers: all
// of them if there are at most 5, and otherwise 5 plus a tenth of their number, but at most sampleMax.
// It computes the mean distance between the due ticks of successive timers of the sample, and then the
// mean of only those distances that are less than twice the first mean. A day is three times as long as
// the second mean. If the sample has fewer than two distinct due ticks, newDay returns the current
// length.
func (w *calendar) newDay(all []uint32) wheel.Tick {
	k := len(all)
	if k > 5 {
		k = min(5+k/10, sampleMax)
	}
	if k < 2 {
		return w.Width
	}
	due := func(j int) wheel.Tick { return w.Arena.At(all[j]).Due }
	total := due(k-1) - due(0)
	if total == 0 {
		return w.Width
	}
	sum, count := wheel.Tick(0), wheel.Tick(0)
	for j := 1; j < k; j++ {
		if apart := due(j) - due(j-1); apart <= (2*total-1)/int64(k-1) {
			sum, count = sum+apart, count+1
		}
	}
	day := 3*min(sum/count, wheel.WidthMax) + (3*(sum%count)+count/2)/count
	return min(max(day, 1), wheel.WidthMax)
}
