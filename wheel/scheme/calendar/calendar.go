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
func New(c Config) (wheel.Wheel, error) {
	if err := core.CheckSlots("slots", c.Slots); err != nil {
		return nil, err
	}
	if c.Day < 1 || c.Day > wheel.WidthMax {
		return nil, &wheel.ParamError{Name: "day", Found: fmt.Sprint(c.Day), Want: fmt.Sprintf("between 1 and %d", int64(wheel.WidthMax))}
	}
	if err := core.CheckStart(c.Start); err != nil {
		return nil, err
	}
	w := &calendar{clock: c.Start, fixed: c.Fixed}
	w.Reached, w.Width = c.Start, c.Day
	w.SetSlots(c.Slots)
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Wheel, error) {
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
