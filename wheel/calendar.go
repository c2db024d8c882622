package wheel

import "fmt"

// CalendarConfig is the geometry of a calendar queue at its beginning.
type CalendarConfig struct {
	Slots int  // days of the year, 1 to SlotsMax
	Day   Tick // base ticks a day, 1 or more
	Start Tick // the clock at the beginning
	Fixed bool // keep both, however many timers there are
}

// Calendar is the calendar queue of Brown (Calendar queues: a fast O(1) priority
// queue implementation for the simulation event set problem, CACM 31(10), 1988).
// It is a desk calendar: n days of one width make a year, a timer is noted on the
// page of its day whatever its year, and each page is sorted. Looking for the next
// timer goes from day to day and passes over what is noted there for later years;
// after a whole year without one it compares the first of every page.
//
// The queue measures itself. With more than two timers a day the year doubles its
// days, with fewer than about one for two days it halves them (by Brown's
// thresholds, 2n and n/2−2), and the width of a day is taken anew from a sample of
// the timers that are due next: see width. Both keep pages short where dues are
// spread; a crowd that the sample did not see makes them long again.
//
//	fires          exactly; a day's width rounds nothing
//	start, stop    O(1) on average; O(timers) where it resizes, or where pages are long
//	tick           a look at the next timer, and the search for the one after it
type Calendar struct {
	base
	clock Tick
	day   Tick    // base ticks of a day
	pages []chain // of the year
	occ   bitmap
	count int
	head  uint32 // the next timer to fire, 0: none
	fixed bool
}

// CalendarDaysMax is how many days a year grows to: enough for two million timers,
// beyond which pages grow longer instead.
const CalendarDaysMax = 1 << 20

// CalendarSearchMax is how many timers of a page are passed at most in search of a
// timer's place, from the page's end; one that would stand before more is refused.
const CalendarSearchMax = 20000

// NewCalendar makes an empty queue. The error is a *ParamError.
func NewCalendar(c CalendarConfig) (*Calendar, error) {
	if err := checkSlots("slots", c.Slots); err != nil {
		return nil, err
	}
	if c.Day < 1 || c.Day > WidthMax {
		return nil, &ParamError{"day", fmt.Sprint(c.Day), fmt.Sprintf("between 1 and %d", int64(WidthMax))}
	}
	if err := checkStart(c.Start); err != nil {
		return nil, err
	}
	w := &Calendar{clock: c.Start, day: c.Day, fixed: c.Fixed}
	w.now = c.Start
	w.newYear(c.Slots)
	return w, nil
}

func buildCalendar(p Params, start Tick) (Wheel, error) {
	return NewCalendar(CalendarConfig{int(p["slots"].(int64)), p["day"].(int64), start, p["resize"] == "off"})
}

// newYear begins with n empty pages.
func (w *Calendar) newYear(n int) {
	w.pages = make([]chain, n)
	w.occ = newBitmap(n)
}

// page is the page of tick e.
func (w *Calendar) page(e Tick) uint32 { return uint32(e / w.day % int64(len(w.pages))) }

// Schedule notes a timer on its page: one comparison for each timer passed from
// the page's end, and one for the timer it is put behind.
func (w *Calendar) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

func (w *Calendar) place(i uint32, n *node) verdict {
	if n.due <= w.clock {
		if w.tooMany(n, w.clock) {
			return badPast
		}
		return due
	}
	s := w.page(n.due)
	next, ok := w.search(s, n.due)
	if w.arena.aborted {
		return badAborted
	}
	if !ok {
		return badCapacity
	}
	w.note(s, i, n, next)
	if w.log != nil {
		w.tellInsert(n, NoLevel, 0, s, next)
	}
	if w.head == 0 || n.due < w.arena.at(w.head).due {
		w.head = i
	}
	if !w.fixed && w.count > 2*len(w.pages) && len(w.pages) < CalendarDaysMax {
		w.resize(min(2*len(w.pages), CalendarDaysMax))
		if w.arena.aborted {
			return badAborted
		}
	}
	return placed
}

// search walks page s from its end to the last timer not due after e, and gives
// the one behind that, 0 at the end; false where it is too far.
func (w *Calendar) search(s uint32, e Tick) (next uint32, ok bool) {
	passed := 0
	for i := w.pages[s].tail; i != 0 && w.arena.spend(1); i = w.arena.at(i).slot {
		w.cost.Compared++
		if w.arena.at(i).due <= e {
			return next, true
		}
		if passed++; passed > CalendarSearchMax {
			return 0, false
		}
		next = i
	}
	return next, true
}

// note links a timer into page s.
func (w *Calendar) note(s, i uint32, n *node, next uint32) {
	w.pages[s].link(&w.arena, i, n, next)
	w.occ.set(s)
	w.count++
}

// Cancel disarms a timer in O(1), but for the search that follows where it was the
// next, and a resize.
func (w *Calendar) Cancel(t Timer) bool {
	n := w.arena.find(t)
	if n == nil {
		return false
	}
	w.cost.Touched++
	w.counts.Cancelled++
	if w.log != nil {
		w.tellCancel(n, 0, w.page(n.due))
	}
	w.remove(t.index, n)
	w.arena.release(t.index, n)
	w.shrink()
	return true
}

// remove takes a timer off its page, and looks for the next one where it was that.
func (w *Calendar) remove(i uint32, n *node) {
	s := w.page(n.due)
	w.pages[s].unlink(&w.arena, n)
	if w.pages[s].count == 0 {
		w.occ.clear(s)
	}
	w.count--
	if i == w.head {
		w.head = w.nextFrom(n.due)
	}
}

// nextFrom finds the next timer, none being due before tick e: day by day for a
// year, then by the first of every page. A page looked at counts as a slot, its
// first timer as compared.
func (w *Calendar) nextFrom(e Tick) uint32 {
	if w.count == 0 {
		return 0
	}
	n := int64(len(w.pages))
	today := e / w.day
	for ahead := int64(0); w.arena.spend(1); {
		s := uint32((today + ahead) % n)
		if !w.occ.has(s) {
			ahead += w.occ.ahead(s, n)
			s = uint32((today + ahead) % n)
		}
		if ahead >= n {
			break
		}
		w.cost.Compared++
		if i := w.pages[s].head; w.arena.at(i).due/w.day == today+ahead {
			w.cost.Slots += ahead + 1
			return i
		}
		ahead++
	}
	w.cost.Slots += n
	return w.least()
}

// least compares the first timer of every page.
func (w *Calendar) least() uint32 {
	best := uint32(0)
	for s := w.occ.next(0); s >= 0 && w.arena.spend(1); s = w.occ.next(uint32(s) + 1) {
		w.cost.Compared++
		if i := w.pages[s].head; best == 0 || w.arena.at(i).due < w.arena.at(best).due {
			best = i
		}
	}
	w.cost.Slots += int64(len(w.pages))
	return best
}
