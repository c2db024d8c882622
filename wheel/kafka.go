package wheel

import "fmt"

// KafkaConfig is the geometry of a Kafka wheel.
type KafkaConfig struct {
	Slots int  // of every level, 2 to SlotsMax
	Width Tick // base ticks a slot of level 0, 1 or more
	Start Tick // the clock at the beginning
}

// Kafka is the hierarchical wheel of Apache Kafka (server-common, TimingWheel and
// SystemTimer; RussellLuo's Go port places alike). Levels are made when a timer
// needs them. No hand walks: a slot that holds timers waits in a delay queue for
// the tick at which it begins, and the clock moves only when one comes out. While
// nothing comes out the clock stands, and a short timer may land in a coarse
// level. With a slot of u base ticks at level 0:
//
//	at once        due < clock + u
//	fires          at floor(due/u)·u: up to u−1 base ticks early
//	start          O(levels), and O(log slots) for a slot that enters the queue
//	stop           O(1); the emptied slot stays in the queue
//	tick           nothing but where a slot comes out
type Kafka struct {
	base
	u     Tick
	clock Tick // base ticks, a multiple of u
	tower      // widths in base ticks
	queue delayQueue
	waits []Tick // by slot over all levels: its tick in the queue, 0 where it has none
}

// WakesItself marks a wheel under a delay queue.
func (w *Kafka) WakesItself() {}

// NewKafka makes an empty wheel of one level. The error is a *ParamError.
func NewKafka(c KafkaConfig) (*Kafka, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	w := &Kafka{u: c.Width, clock: c.Start - c.Start%c.Width}
	w.now = c.Start
	w.grow(int64(c.Slots), c.Width)
	return w, nil
}

func (c *KafkaConfig) check() error {
	if err := checkRing(c.Slots, c.Width, c.Start); err != nil {
		return err
	}
	if c.Slots < 2 {
		return &ParamError{"slots", fmt.Sprint(c.Slots), fmt.Sprintf("between 2 and %d", SlotsMax)}
	}
	return nil
}

func buildKafka(p Params, start Tick) (Wheel, error) {
	c := KafkaConfig{int(p["slots"].(int64)), p["width"].(int64), start}
	if p["drive"] == "tick" {
		return newTickedKafka(c)
	}
	if readFaults(p, russellLuoFaults) != 0 && p["faults"] != nil {
		return NewRussellLuo(c)
	}
	return NewKafka(c)
}

// grow adds a level.
func (w *Kafka) grow(n int64, width Tick) {
	w.addLevel(n, width, 0)
	w.waits = append(w.waits, make([]Tick, n)...)
}

// Schedule arms a timer.
func (w *Kafka) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

func (w *Kafka) place(i uint32, n *node) verdict {
	if n.due < w.clock+w.u {
		if w.tooMany(n, w.clock+w.u-1) {
			return badPast
		}
		return due
	}
	for top := len(w.levels) - 1; !w.reaches(top, n.due); top++ {
		w.grow(w.levels[0].n, w.topSpan())
		if w.log != nil {
			w.tell(Event{Kind: KindGrow, FromLevel: int8(top + 1), X: w.levels[top+1].width, ToLevel: NoLevel})
		}
	}
	w.settleIn(KindPlace, i, n, NoLevel, 0)
	return placed
}

// reaches says whether level l, whose clock is cut to its width, reaches tick e.
func (w *Kafka) reaches(l int, e Tick) bool {
	v := &w.levels[l]
	return v.index(e)-v.index(w.clock) < v.n
}

// settleIn puts a timer into the lowest level that reaches it, and the slot into
// the delay queue unless it waits there.
func (w *Kafka) settleIn(k Kind, i uint32, n *node, fromLevel int8, fromSlot uint32) {
	l := 0
	for !w.reaches(l, n.due) {
		w.cost.Compared++
		l++
	}
	v := &w.levels[l]
	index := v.index(n.due)
	s := w.put(&w.arena, i, n, l, index)
	if w.log != nil {
		w.tellPlace(k, n, fromLevel, fromSlot, int8(l), s, NoRounds)
	}
	at := index * v.width
	if w.waits[v.first+s] == at {
		return
	}
	w.waits[v.first+s] = at
	w.queue.push(Bucket{int8(l), s, at})
	if w.log != nil {
		w.tell(Event{Kind: KindEnqueue, FromLevel: int8(l), FromSlot: s, Due: at, ToLevel: NoLevel})
	}
}

// Cancel disarms a timer in O(1). Its slot stays in the delay queue.
func (w *Kafka) Cancel(t Timer) bool { return w.cancel(&w.base, t) }

// next is the tick of the queue's head, or now where that has passed; 0: none.
func (w *Kafka) next() int64 {
	if len(w.queue.items) == 0 {
		return 0
	}
	return max(w.queue.items[0].Due, w.now)
}

// Next is the tick at which the head of the delay queue comes out; now, where it
// is due already.
func (w *Kafka) Next() (Tick, bool) {
	k := w.next()
	return k, k > 0
}

// Advance takes out of the delay queue what is due by `to`.
func (w *Kafka) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, 1, to, fired, budget)
}

// walk moves to tick k; the wheel's own clock stands.
func (w *Kafka) walk(k Tick) { w.now = k }

// step takes out of the queue every slot that has come due.
func (w *Kafka) step(fired []Expiry) []Expiry {
	for len(w.queue.items) > 0 && w.queue.items[0].Due <= w.now && w.arena.spend(1) {
		fired = w.flush(w.queue.pop(), fired)
	}
	return fired
}

// flush moves the clock to the tick of a slot and places each of its timers
// again, from level 0 up.
func (w *Kafka) flush(b Bucket, fired []Expiry) []Expiry {
	l := int(b.Level)
	index := w.levels[l].first + b.Slot
	w.clock = b.Due
	w.waits[index] = 0
	w.cost.Slots++
	if w.log != nil {
		w.tell(Event{Kind: KindDequeue, FromLevel: b.Level, FromSlot: b.Slot, Due: b.Due, ToLevel: NoLevel})
	}
	here := len(w.slots[index].ids)
	for k := range here {
		if !w.arena.spendStride(k, here) {
			return fired
		}
		if !w.slots[index].holds(&w.arena, index, k) {
			continue
		}
		w.cost.Touched++
		i := w.slots[index].ids[k]
		n := w.arena.at(i)
		if n.due < w.clock+w.u {
			fired = w.expired(w, i, n, b.Level, b.Slot, fired)
			continue
		}
		w.cost.Moved++
		w.settleIn(KindCascade, i, n, b.Level, b.Slot)
	}
	w.slots[index].settle(&w.arena, index, 0, here)
	w.settleEmpty(&w.arena, l, index)
	return fired
}

// IdlePeak is nothing: a tick at which no slot comes out costs nothing.
func (w *Kafka) IdlePeak(Tick) (int64, Tick) { return 0, 0 }

// Layout is a ring for each level that exists.
func (w *Kafka) Layout() Layout { return w.layout(1) }

// AppendState appends the slots that hold timers, finest level first, and the
// delay queue.
func (w *Kafka) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	w.appendState(&w.arena, s, most)
	s.Queue = w.queue.appendSorted(s.Queue)
	s.Counts, s.Live = w.counts, w.arena.live
}

// Clone copies the wheel.
func (w *Kafka) Clone() Wheel {
	c := *w
	c.log = nil
	c.arena, c.tower, c.queue = w.arena.clone(), w.tower.clone(), w.queue.clone()
	c.waits = append([]Tick(nil), w.waits...)
	return &c
}

// Bytes is the memory of the arena, the slots, the maps of occupied slots and the
// delay queue.
func (w *Kafka) Bytes() int64 {
	return w.arena.bytes() + w.tower.bytes() + w.queue.bytes() + int64(cap(w.waits))*8
}

// Check verifies every slot, that it waits in the queue for the tick at which it
// begins, and the queue.
func (w *Kafka) Check() error {
	c := checker{arena: &w.arena}
	c.tower(&w.tower, func(i int, s int64, n *node) bool {
		l := &w.levels[i]
		return n.due >= w.clock+w.u && l.index(n.due)%l.n == s && w.waits[l.first+uint32(s)] == l.index(n.due)*l.width
	})
	waiting := 0
	for _, at := range w.waits {
		if at != 0 {
			waiting++
		}
	}
	if waiting != len(w.queue.items) {
		c.fail("%d slots wait, %d stand in the delay queue", waiting, len(w.queue.items))
	}
	for k, b := range w.queue.items {
		if w.waits[w.levels[b.Level].first+b.Slot] != b.Due || b.Due <= w.clock {
			c.fail("level %d slot %d is in the delay queue for %d, the clock is %d", b.Level, b.Slot, b.Due, w.clock)
		}
		if k > 0 && w.queue.before(k, (k-1)/2) {
			c.fail("entry %d of the delay queue is due before its parent", k)
		}
	}
	return c.done()
}
