package wheel

// List is Scheme 1 of Varghese and Lauck (1987, section 3.1): an unordered list
// of timers, every one of which is touched at every tick. Those due at one tick
// fire in order of arming.
//
//	reach          any delay; at most LinearMax live timers
//	start, stop    O(1)
//	tick           O(n): each timer is decremented
type List struct {
	base
	clock   Tick
	list    chain
	soonest Tick // the least due; 0: not known
}

// touchedMax bounds the count of timers touched: LinearMax of them at each of
// 2^62 ticks would not fit an int64. The count stays there.
const touchedMax = 1 << 60

// NewList makes an empty list with its clock at start. The error is a
// *ParamError.
func NewList(start Tick) (*List, error) {
	if err := checkStart(start); err != nil {
		return nil, err
	}
	w := &List{clock: start}
	w.now = start
	return w, nil
}

func buildList(_ Params, start Tick) (Wheel, error) { return NewList(start) }

// Schedule arms a timer in O(1).
func (w *List) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

func (w *List) place(i uint32, n *node) verdict {
	switch {
	case n.due <= w.clock:
		if w.tooMany(n, w.clock) {
			return badPast
		}
		return due
	case w.arena.live > LinearMax:
		return badCapacity
	}
	if w.list.count == 0 || w.soonest > n.due {
		w.soonest = n.due
	}
	w.list.link(&w.arena, i, n, 0)
	if w.log != nil {
		w.tellPlace(KindPlace, n, NoLevel, 0, 0, 0, NoRounds)
	}
	return placed
}

// Cancel disarms a timer in O(1).
func (w *List) Cancel(t Timer) bool {
	n := w.arena.find(t)
	if n == nil {
		return false
	}
	w.cost.Touched++
	w.counts.Cancelled++
	if w.log != nil {
		w.tellCancel(n, 0, 0)
	}
	if n.due == w.soonest {
		w.soonest = 0
	}
	w.list.unlink(&w.arena, n)
	w.arena.release(t.index, n)
	return true
}

// next is the least due tick, or 0. It is looked for only when it was lost, for
// the engine's sake: the scheme itself knows no next tick.
func (w *List) next() int64 { return w.least(&w.arena.pace) }

// least is next, with its search for the least due tick counted by p.
func (w *List) least(p *pace) int64 {
	if w.list.count == 0 {
		return 0
	}
	if w.soonest == 0 {
		w.soonest = TickMax
		for i := w.list.head; i != 0; i = w.arena.at(i).pos {
			if !p.spend(1) {
				return 0
			}
			w.soonest = min(w.soonest, w.arena.at(i).due)
		}
	}
	return w.soonest
}

// Next is the least due tick.
func (w *List) Next() (Tick, bool) { return w.least(&pace{}), w.list.count > 0 }

// Advance walks the list at every tick with a due timer, and counts the walks of
// the others.
func (w *List) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, 1, to, fired, budget)
}

// walk moves the clock to k: at each tick the head was examined and every timer
// touched.
func (w *List) walk(k Tick) {
	ticks := k - w.clock
	w.cost.Slots += ticks
	if n := int64(w.list.count); n > 0 && ticks > (touchedMax-w.cost.Touched)/n {
		w.cost.Touched = max(w.cost.Touched, touchedMax)
	} else {
		w.cost.Touched += ticks * n
	}
	w.clock = k
}

// step fires what is due now. What is armed meanwhile stands behind the last
// timer that was there, and is due later.
func (w *List) step(fired []Expiry) []Expiry {
	last := w.list.tail
	for i, done := w.list.head, false; !done && w.arena.spend(1); {
		n := w.arena.at(i)
		next := n.pos
		done = i == last
		if n.due == w.clock {
			w.list.unlink(&w.arena, n)
			fired = w.expired(w, i, n, 0, 0, fired)
		}
		i = next
	}
	w.soonest = 0
	return fired
}

// IdlePeak is a look at the head and at every timer, at the next tick.
func (w *List) IdlePeak(to Tick) (int64, Tick) {
	peak, at := ringPeak(w.clock, 1, to)
	if peak > 0 {
		peak += int64(w.list.count)
	}
	return peak, at
}

// Layout is one list.
func (w *List) Layout() Layout {
	return Layout{Shape: ShapeList, Levels: []Level{{0, 0, 1}}}
}

// AppendState appends the list, in order, as one place.
func (w *List) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	w.list.appendState(s, &w.arena, 0, most)
	s.Counts, s.Live = w.counts, w.arena.live
}

// Clone copies the list.
func (w *List) Clone() Wheel {
	c := *w
	c.log = nil
	c.arena = w.arena.clone()
	return &c
}

// Bytes is the memory of the arena.
func (w *List) Bytes() int64 { return w.arena.bytes() }

// Check verifies the links, that no timer is overdue, and the least due tick.
func (w *List) Check() error {
	c := checker{arena: &w.arena}
	least := TickMax
	c.chain(&w.list, func(n *node) {
		least = min(least, n.due)
		if n.due <= w.clock {
			c.fail("timer %d was due at %d, the clock is %d", n.key, n.due, w.clock)
		}
	})
	if w.list.count > 0 && w.soonest != 0 && w.soonest != least {
		c.fail("the least due is %d, want %d", w.soonest, least)
	}
	return c.done()
}
