package wheel

const (
	classicLevels = 5
	classicFirst  = 256       // slots of level 0
	classicRest   = 64        // slots of the others
	classicFar    = 1<<32 - 1 // the longest delay that is placed by its own due tick
)

// LinuxClassic is the timer wheel of the Linux kernel up to 4.7
// (kernel/time/timer.c, as of 3.18): 256 slots of a tick, and four levels of 64
// above. When the hand of level 0 comes round, the next slot of level 1 cascades,
// when that has come round too the next of level 2, and so on.
//
//	level   slot       delays
//	0       1          under 2^8
//	1       2^8        under 2^14
//	2       2^14       under 2^20
//	3       2^20       under 2^26
//	4       2^26       under 2^32; what is longer is placed again from there
//
//	fires          at its due tick; what is past when it is armed, at the next
//	start, stop    O(1)
//	tick           O(1), and the slots that cascade
type LinuxClassic struct {
	base
	clk     Tick // timer_jiffies: the next tick to be worked; an empty wheel's stands at now
	from    Tick // clk before the walk
	running bool // within a step
	tower
}

// NewLinuxClassic makes an empty wheel with its clock at start. The error is a
// *ParamError.
func NewLinuxClassic(start Tick) (*LinuxClassic, error) {
	if err := checkStart(start); err != nil {
		return nil, err
	}
	w := &LinuxClassic{clk: start}
	w.now = start
	w.addLevel(classicFirst, 1, start)
	for len(w.levels) < classicLevels {
		w.addLevel(classicRest, w.topSpan(), start)
	}
	return w, nil
}

func buildLinuxClassic(_ Params, start Tick) (Wheel, error) { return NewLinuxClassic(start) }

// Schedule arms a timer in O(1). None fires at once: what is past fires at the
// next tick.
func (w *LinuxClassic) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

// place is the kernel's internal_add_timer: the clock of an empty wheel is
// brought to now first.
func (w *LinuxClassic) place(i uint32, n *node) verdict {
	if w.arena.live == 1 && !w.running {
		w.clk = w.now
	}
	l, index := w.target(n.due)
	s := w.put(&w.arena, i, n, l, index)
	if w.log != nil {
		w.tellPlace(KindPlace, n, NoLevel, 0, int8(l), s, NoRounds)
	}
	return placed
}

// target is the level of a due tick and the index of its slot there.
func (w *LinuxClassic) target(e Tick) (l int, index int64) {
	d := e - w.clk
	switch {
	case d < 0:
		e = w.clk
	case d > classicFar:
		d, e = classicFar, w.clk+classicFar
	}
	for l+1 < classicLevels && d >= w.levels[l+1].width {
		l++
	}
	w.cost.Compared += int64(l)
	return l, w.levels[l].index(e)
}

// Cancel disarms a timer in O(1).
func (w *LinuxClassic) Cancel(t Timer) bool { return w.cancel(&w.base, t) }

// expiry is the first tick from `from` on at which the hand of a level comes to
// an occupied slot.
func (w *LinuxClassic) expiry(from Tick) (best Tick, ok bool) {
	for i := range w.levels {
		l := &w.levels[i]
		hand := l.index(from - 1)
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

// next is the tick at which the next occupied slot is worked, or 0: what was past
// when it was armed, at the tick after the arming.
func (w *LinuxClassic) next() int64 {
	at, ok := w.expiry(w.clk)
	if !ok {
		return 0
	}
	return max(at, w.now+1)
}

// Next is the tick at which the next occupied slot is worked.
func (w *LinuxClassic) Next() (Tick, bool) {
	k := w.next()
	return k, k > 0
}

// Advance moves the hands to tick `to`.
func (w *LinuxClassic) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, 1, to, fired, budget)
}

// walk moves the hands to tick k: each slot passed was examined. The kernel does
// not work an empty wheel.
func (w *LinuxClassic) walk(k Tick) {
	switch {
	case k == w.now:
		return // worked before
	case w.arena.live == 0:
		w.now, w.clk = k, k
		return
	}
	w.now = k
	w.from = w.clk
	w.cost.Slots += w.examined(w.clk, k)
	w.clk = k + 1
}

// examined counts the slots under the hands at each tick from `from` to `to`.
func (w *LinuxClassic) examined(from, to Tick) (count int64) {
	for i := range w.levels {
		count += w.levels[i].index(to) - w.levels[i].index(from-1)
	}
	return count
}

// step works the occupied slots that the hands have come to since the walk began.
func (w *LinuxClassic) step(fired []Expiry) []Expiry {
	w.running = true
	for at, ok := w.expiry(w.from); ok && at <= w.now && w.arena.spend(1); at, ok = w.expiry(w.from) {
		fired = w.work(at, fired)
		w.from = at + 1
	}
	w.running = false
	w.clk = w.now + 1
	return fired
}

// work is one tick: the slots that cascade, from level 1 up as far as the hand
// below has come round, then the slot of level 0, which holds what has just come
// down. Repeats are placed by the clock after it.
func (w *LinuxClassic) work(at Tick, fired []Expiry) []Expiry {
	w.clk = at
	for i := 1; i < classicLevels && at&(w.levels[i].width-1) == 0; i++ {
		w.cascade(i, w.levels[i].slotOf(w.levels[i].index(at)))
	}
	w.clk = at + 1
	s := w.levels[0].slotOf(at)
	v := &w.slots[s]
	here := len(v.ids)
	if here == 0 || w.arena.aborted {
		return fired
	}
	if w.log != nil {
		w.tellHand(0, s, 0)
	}
	for k := range here {
		if !w.arena.spendStride(k, here) {
			return fired
		}
		if !v.holds(&w.arena, s, k) {
			continue
		}
		w.cost.Touched++
		fired = w.expired(w, v.ids[k], w.arena.at(v.ids[k]), 0, s, fired)
	}
	v.settle(&w.arena, s, 0, here)
	w.settleEmpty(&w.arena, 0, s)
	return fired
}

// cascade places every timer of slot s of level l again.
func (w *LinuxClassic) cascade(l int, s uint32) {
	index := w.levels[l].first + s
	v := &w.slots[index]
	here := len(v.ids)
	if here > 0 && w.log != nil {
		w.tellHand(int8(l), s, 0)
	}
	for k := range here {
		if !w.arena.spendStride(k, here) {
			return
		}
		if !v.holds(&w.arena, index, k) {
			continue
		}
		w.cost.Touched++
		w.cost.Moved++
		i := v.ids[k]
		n := w.arena.at(i)
		to, at := w.target(n.due)
		slot := w.put(&w.arena, i, n, to, at)
		if w.log != nil {
			w.tellPlace(KindCascade, n, int8(l), s, int8(to), slot, NoRounds)
		}
	}
	v.settle(&w.arena, index, 0, here)
	w.settleEmpty(&w.arena, l, index)
}

// IdlePeak is a slot of each level whose hand moves at once; the next tick may
// make up for one that was left when the first timer came.
func (w *LinuxClassic) IdlePeak(to Tick) (int64, Tick) {
	if to <= w.now || w.arena.live == 0 {
		return 0, 0
	}
	next := w.now + 1
	peak, at := w.examined(w.clk, next), next
	for i := classicLevels - 1; i >= 0; i-- {
		l := &w.levels[i]
		if l.index(to) > l.index(next) {
			if int64(i)+1 > peak {
				return int64(i) + 1, (l.index(next) + 1) * l.width
			}
			break
		}
	}
	return peak, at
}

// Layout is a ring for each level.
func (w *LinuxClassic) Layout() Layout { return w.layout(1) }

// AppendState appends the slots that hold timers, finest level first.
func (w *LinuxClassic) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	w.appendState(&w.arena, s, most)
	s.Counts, s.Live = w.counts, w.arena.live
}

// Clone copies the wheel.
func (w *LinuxClassic) Clone() Wheel {
	c := *w
	c.log = nil
	c.arena, c.tower = w.arena.clone(), w.tower.clone()
	return &c
}

// Bytes is the memory of the arena, the slots and the maps of occupied slots.
func (w *LinuxClassic) Bytes() int64 { return w.arena.bytes() + w.tower.bytes() }

// Check verifies every slot, and that it is worked before each of its timers is
// due (in level 0, when it is due or was past), by less than its width.
func (w *LinuxClassic) Check() error {
	c := checker{arena: &w.arena}
	c.tower(&w.tower, func(i int, s int64, n *node) bool {
		l := &w.levels[i]
		hand := l.index(w.clk - 1)
		at := (hand + 1 + (s-hand-1)&(l.n-1)) * l.width
		if i == 0 {
			return at == n.due || n.due < at && at <= w.now+1
		}
		return at <= n.due && (n.due-at < l.width || i == classicLevels-1)
	})
	return c.done()
}
