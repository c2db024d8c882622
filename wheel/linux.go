package wheel

import "fmt"

const (
	linuxBits  = 6 // 64 slots a level
	linuxShift = 3 // a slot of a level spans 8 of the one below
)

// Linux is the timer wheel of the Linux kernel since 4.8 (kernel/time/timer.c):
// levels of 64 slots, each slot 8 times as wide as one of the level below, and no
// cascade. A timer fires where it was placed, late by what its slot rounds up.
// With ticks (jiffies) of 1 ms:
//
//	level   slot      begins at a delay of   late by
//	0       1 ms      0                      1 ms
//	1       8 ms      63 ms                  1 to 8 ms
//	2       64 ms     504 ms                 1 to 64 ms
//	…       ·8        ·8                     ·8
//	8       4.7 h     1.5 d                  1 ms to 4.7 h
//
// so that the worst ratio of lateness to delay is 8/63. What is due past the last
// level is brought back to its end and fires early. A slot is last in, first out.
//
//	start, stop    O(1)
//	tick           nothing but where a slot is occupied
type Linux struct {
	base
	clk Tick // base.clk: the next tick to be collected, or the tick of the last arming
	tower
}

// NewLinux makes an empty wheel of 8 or 9 levels (8 where the kernel ticks 100
// times a second or less) with its clock at start. The error is a *ParamError.
func NewLinux(levels int, start Tick) (*Linux, error) {
	if levels != 8 && levels != 9 {
		return nil, &ParamError{"levels", fmt.Sprint(levels), "8 or 9"}
	}
	if err := checkStart(start); err != nil {
		return nil, err
	}
	w := &Linux{clk: start}
	w.now = start
	for l := range levels {
		w.addLevel(1<<linuxBits, 1<<(linuxShift*l), start)
	}
	return w, nil
}

func buildLinux(p Params, start Tick) (Wheel, error) {
	return NewLinux(int(p["levels"].(int64)), start)
}

// Schedule arms a timer in O(1). None fires at once: what is past fires at the
// next tick.
func (w *Linux) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

// place is the kernel's calc_wheel_index, on a clock that lags no more than the
// arming.
func (w *Linux) place(i uint32, n *node) verdict {
	w.clk = max(w.clk, w.now)
	l, index := w.target(n.due)
	slot := w.levels[l].first + w.levels[l].slotOf(index)
	e := Event{Kind: KindPlace, ID: n.key, Due: n.due, Run: w.arena.run(n), X: NoRounds,
		FromLevel: NoLevel, ToLevel: int8(l), ToSlot: slot - w.levels[l].first}
	if w.log != nil {
		e.Before = w.head(slot, i)
	}
	w.put(&w.arena, i, n, l, index)
	if w.log != nil {
		w.tell(e)
	}
	return placed
}

// target is the level of a due tick and the index of its slot there: the one that
// begins after it.
func (w *Linux) target(e Tick) (l int, index int64) {
	top := len(w.levels) - 1
	switch d := e - w.clk; {
	case d < 0:
		return 0, w.clk
	case d >= levelStart(top+1):
		e = w.clk + levelStart(top+1) - w.levels[top].width
		l = top
	default:
		for l < top && d >= levelStart(l+1) {
			l++
		}
	}
	w.cost.Compared += int64(l)
	return l, w.levels[l].index(e) + 1
}

// levelStart is the least delay of level l: 63 << 3(l−1).
func levelStart(l int) Tick {
	if l == 0 {
		return 0
	}
	return (1<<linuxBits - 1) << (linuxShift * (l - 1))
}

// head is the id of the first timer of a slot but i, which is the last that came:
// 0 where there is none.
func (w *Linux) head(slot, i uint32) uint32 {
	v := &w.slots[slot]
	for k := len(v.ids) - 1; k >= 0; k-- {
		if !w.arena.spend(1) {
			return 0
		}
		if v.ids[k] != i && v.holds(&w.arena, slot, k) {
			return w.arena.at(v.ids[k]).key
		}
	}
	return 0
}

// Cancel disarms a timer in O(1).
func (w *Linux) Cancel(t Timer) bool { return w.cancel(&w.base, t) }

// expiry is the next tick to be collected, at clk or after: that of the next
// occupied slot of any level.
func (w *Linux) expiry() (best Tick, ok bool) {
	for i := range w.levels {
		l := &w.levels[i]
		hand := l.index(w.clk - 1)
		d := l.occ.ahead(l.slotOf(hand), l.n)
		if d == 0 {
			continue
		}
		if at := (hand + d) * l.width; !ok || at < best {
			best, ok = at, true
		}
	}
	return best, ok
}

// next is the tick at which the next slot is collected, or 0: what was past when
// it was armed, at the tick after the arming.
func (w *Linux) next() int64 {
	at, ok := w.expiry()
	if !ok {
		return 0
	}
	return max(at, w.now+1)
}

// Next is the tick at which the next slot is collected.
func (w *Linux) Next() (Tick, bool) {
	k := w.next()
	return k, k > 0
}

// Advance goes from one occupied slot to the next.
func (w *Linux) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, 1, to, fired, budget)
}

// walk moves to tick k; the kernel looks at its next expiry only.
func (w *Linux) walk(k Tick) { w.now = k }

// step is the kernel's __run_timers: it collects each tick that has expired.
func (w *Linux) step(fired []Expiry) []Expiry {
	for at, ok := w.expiry(); ok && at <= w.now && w.arena.spend(1); at, ok = w.expiry() {
		fired = w.collect(at, fired)
	}
	return fired
}

// collect takes the slots that begin at tick `at`, then fires them from the
// highest level down. Repeats are placed by the clock after it.
func (w *Linux) collect(at Tick, fired []Expiry) []Expiry {
	var here [9]int
	levels := 0
	for ; levels < len(w.levels) && at&(w.levels[levels].width-1) == 0; levels++ {
		l := &w.levels[levels]
		here[levels] = len(w.slots[l.first+l.slotOf(l.index(at))].ids)
	}
	w.clk = at + 1
	for i := levels - 1; i >= 0; i-- {
		if here[i] > 0 && !w.arena.aborted {
			l := &w.levels[i]
			fired = w.fire(i, l.slotOf(l.index(at)), here[i], fired)
		}
	}
	return fired
}

// fire fires the `here` timers taken from slot s of level l, the last in first.
func (w *Linux) fire(l int, s uint32, here int, fired []Expiry) []Expiry {
	index := w.levels[l].first + s
	w.cost.Slots++
	if w.log != nil {
		w.tellHand(int8(l), s, 0)
	}
	for k := here - 1; k >= 0; k-- {
		if !w.arena.spend(1) {
			return fired
		}
		if !w.slots[index].holds(&w.arena, index, k) {
			continue
		}
		w.cost.Touched++
		i := w.slots[index].ids[k]
		fired = w.expired(w, i, w.arena.at(i), int8(l), s, fired)
	}
	w.slots[index].settle(&w.arena, index, 0, here)
	w.settleEmpty(&w.arena, l, index)
	return fired
}

// IdlePeak is nothing: a tick at which no slot is collected costs nothing.
func (w *Linux) IdlePeak(Tick) (int64, Tick) { return 0, 0 }

// Layout is a ring for each level.
func (w *Linux) Layout() Layout { return w.layout(1) }

// AppendState appends the slots that hold timers, finest level first, in each the
// last that came first.
func (w *Linux) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	for i := range w.levels {
		l := &w.levels[i]
		for k := range uint32(l.n) {
			w.appendReversed(s, Place{Level: int8(i), Slot: k}, l.first+k, most)
		}
	}
	s.Counts, s.Live = w.counts, w.arena.live
}

// appendReversed appends a slot as place p, last in first, unless it is empty.
func (w *Linux) appendReversed(s *State, p Place, index uint32, most int) {
	v := &w.slots[index]
	if p.Count = v.live(); p.Count == 0 {
		return
	}
	for k := len(v.ids) - 1; k >= 0 && len(p.Entries) != most; k-- {
		if v.holds(&w.arena, index, k) {
			p.Entries = append(p.Entries, w.arena.entry(v.ids[k], NoRounds))
		}
	}
	s.Places = append(s.Places, p)
}

// Clone copies the wheel.
func (w *Linux) Clone() Wheel {
	c := *w
	c.log = nil
	c.arena, c.tower = w.arena.clone(), w.tower.clone()
	return &c
}

// Bytes is the memory of the arena, the slots and the maps of occupied slots.
func (w *Linux) Bytes() int64 { return w.arena.bytes() + w.tower.bytes() }

// Check verifies every slot, and that it is collected after each of its timers is
// due, by no more than its width; or, of those brought back, before.
func (w *Linux) Check() error {
	c := checker{arena: &w.arena}
	top := len(w.levels) - 1
	c.tower(&w.tower, func(i int, s int64, n *node) bool {
		l := &w.levels[i]
		at := (l.index(w.clk-1) + 1 + (s-l.index(w.clk-1)-1)&(l.n-1)) * l.width
		switch {
		case n.due >= at:
			return i == top // brought back to the end of the last level
		case i == 0:
			return true // however late: it was past when it was armed
		}
		return at-n.due <= l.width
	})
	return c.done()
}
