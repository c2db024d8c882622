package wheel

// Sorted is Scheme 2 of Varghese and Lauck (1987, section 3.2): a doubly linked
// list in order of due tick, equal dues in order of arming, searched from the
// front.
//
//	reach   any delay; at most LinearMax live timers
//	start   O(n): 2 + 2n/3 steps for exponential delays, 2 + n/2 for uniform ones
//	stop    O(1)
//	tick    O(1): only the head is looked at
type Sorted struct {
	base
	clock Tick
	list  chain
}

// NewSorted makes an empty list with its clock at start. The error is a
// *ParamError.
func NewSorted(start Tick) (*Sorted, error) {
	if err := checkStart(start); err != nil {
		return nil, err
	}
	w := &Sorted{clock: start}
	w.now = start
	return w, nil
}

func buildSorted(_ Params, start Tick) (Wheel, error) { return NewSorted(start) }

// Schedule arms a timer: one comparison for each timer it is put behind, and one
// for the timer it is put before.
func (w *Sorted) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

func (w *Sorted) place(i uint32, n *node) verdict {
	switch {
	case n.due <= w.clock:
		if w.tooMany(n, w.clock) {
			return badPast
		}
		return due
	case w.arena.live > LinearMax:
		return badCapacity
	}
	next := w.search(n.due)
	if w.arena.aborted {
		return badAborted
	}
	w.list.link(&w.arena, i, n, next)
	if w.log != nil {
		w.tellInsert(n, NoLevel, 0, 0, next)
	}
	return placed
}

// search walks from the front to the first timer due after `at`.
func (w *Sorted) search(at Tick) uint32 {
	i := w.list.head
	for i != 0 && w.arena.spend(1) {
		w.cost.Compared++
		n := w.arena.at(i)
		if n.due > at {
			break
		}
		i = n.pos
	}
	return i
}

// Cancel disarms a timer in O(1).
func (w *Sorted) Cancel(t Timer) bool {
	n := w.arena.find(t)
	if n == nil {
		return false
	}
	w.cost.Touched++
	w.counts.Cancelled++
	if w.log != nil {
		w.tellCancel(n, 0, 0)
	}
	w.list.unlink(&w.arena, n)
	w.arena.release(t.index, n)
	return true
}

// next is the due tick of the head, or 0.
func (w *Sorted) next() int64 {
	if w.list.head == 0 {
		return 0
	}
	return w.arena.at(w.list.head).due
}

// Next is the due tick of the head.
func (w *Sorted) Next() (Tick, bool) { return w.next(), w.list.head != 0 }

// Advance fires the head while it is due.
func (w *Sorted) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, 1, to, fired, budget)
}

// step fires the timers at the head that are due now.
func (w *Sorted) step(fired []Expiry) []Expiry {
	for w.next() == w.clock && w.arena.spend(1) {
		i := w.list.head
		n := w.arena.at(i)
		w.cost.Touched++
		w.list.unlink(&w.arena, n)
		fired = w.expired(w, i, n, 0, 0, fired)
	}
	return fired
}

// walk moves the clock to k: at each tick the head was examined.
func (w *Sorted) walk(k Tick) {
	w.cost.Slots += k - w.clock
	w.clock = k
}

// IdlePeak is a look at the head, at the next tick.
func (w *Sorted) IdlePeak(to Tick) (int64, Tick) { return ringPeak(w.clock, 1, to) }

// Layout is one list.
func (w *Sorted) Layout() Layout {
	return Layout{Shape: ShapeList, Levels: []Level{{0, 0, 1}}}
}

// AppendState appends the list, in order, as one place.
func (w *Sorted) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	w.list.appendState(s, &w.arena, 0, most)
	s.Counts, s.Live = w.counts, w.arena.live
}

// Clone copies the list.
func (w *Sorted) Clone() Wheel {
	c := *w
	c.log = nil
	c.arena = w.arena.clone()
	return &c
}

// Bytes is the memory of the arena.
func (w *Sorted) Bytes() int64 { return w.arena.bytes() }

// Check verifies the links and the order.
func (w *Sorted) Check() error {
	c := checker{arena: &w.arena}
	last := w.clock + 1
	c.chain(&w.list, func(n *node) {
		if n.due < last {
			c.fail("timer %d, due %d, stands behind due %d", n.key, n.due, last)
		}
		last = n.due
	})
	return c.done()
}
