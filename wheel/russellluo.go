package wheel

// RussellLuo is Kafka's wheel as RussellLuo/timingwheel (54845bd) ported it to Go:
// placed and fired alike, but no lock spans the three things its loop does with a
// slot that has come due (Kafka holds a write lock there). Other goroutines get in
// between taking it out of the queue and moving the clock, and between moving the
// clock and working its timers:
//
//   - a timer put into the slot that was taken gives it a later expiration, and the
//     clock is moved to that: what stands in it fires early, and what is armed from
//     then on is reckoned by a clock ahead of the real one
//   - a timer of the slot that belongs into that very slot is put back under the
//     slot's own mutex: the loop waits for itself for ever (issue 53)
//
// The driver says with Hold when an operation comes in between; each such place
// lets one in. Without Hold it is Kafka's wheel.
type RussellLuo struct {
	Kafka
	held   bool   // an operation is to come before the loop goes on
	paused bool   // the loop waits for that operation
	stage  stage  // what was done with taken
	taken  Bucket // the slot being worked
}

// stage is how far the loop has come with a slot.
type stage uint8

const (
	idle     stage = iota // no slot is taken
	polled                // out of the queue
	advanced              // the clock has moved
)

// Interleaver is a wheel in whose own work operations can get in between.
type Interleaver interface {
	Wheel
	// Hold tells, before an Advance, whether an operation comes at this tick
	// before the wheel's own goroutine has gone on.
	Hold(more bool)
}

var russellLuoFaults = []string{"unlocked"}

// unlockedParameter switches the Go port's faults on; without it the wheel is
// Kafka's, so it has no default.
func unlockedParameter() Parameter {
	return Parameter{Name: "faults", Type: TypeNames, Options: russellLuoFaults, Meaning: Text{
		"unlocked: the Go port by RussellLuo, in whose loop no lock spans taking a slot, moving the clock and working it, so that operations of the same tick get in between; none if left out",
		"unlocked：RussellLuo 的 Go 移植，其循环取出槽、移动时钟与处理定时器之间没有统一的锁，同一刻度的操作会插进来；缺省则没有"}}
}

// NewRussellLuo makes an empty wheel of one level. The error is a *ParamError.
func NewRussellLuo(c KafkaConfig) (*RussellLuo, error) {
	k, err := NewKafka(c)
	if err != nil {
		return nil, err
	}
	return &RussellLuo{Kafka: *k}, nil
}

// Hold tells whether an operation gets in before the loop goes on.
func (w *RussellLuo) Hold(more bool) { w.held, w.paused = more, false }

// Schedule arms a timer; one that a clock ahead of time lets run at once is told.
func (w *RussellLuo) Schedule(s Spec) (Timer, int, error) {
	t, runs, err := w.schedule(&w.Kafka, &s)
	for k := range Tick(runs) {
		if !w.arena.spend(1) {
			return Timer{}, runs, ErrAborted
		}
		w.early(s.Key, s.Due+k*s.Every)
	}
	return t, runs, err
}

// early tells a run that comes before its slot: the rule is early by u−1 at most.
func (w *RussellLuo) early(key uint32, due Tick) {
	if due-w.now >= w.u {
		w.finding(CodeEarly, key, due, w.now)
	}
}

// next is the tick of the loop's next work, or 0; none while it waits for an
// operation.
func (w *RussellLuo) next() int64 {
	switch {
	case w.dead || w.paused:
		return 0
	case w.stage != idle:
		return w.now
	}
	return w.Kafka.next()
}

// Next is now where a slot has been taken and not worked.
func (w *RussellLuo) Next() (Tick, bool) {
	switch {
	case w.dead:
		return 0, false
	case w.stage != idle:
		return w.now, true
	}
	return w.Kafka.Next()
}

// Advance takes out of the delay queue what is due by `to`, and works it as far as
// no operation gets in.
func (w *RussellLuo) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, 1, to, fired, budget)
}

// step lets the loop run until nothing is due or an operation gets in.
func (w *RussellLuo) step(fired []Expiry) []Expiry {
	for !w.dead && w.arena.spend(1) {
		switch w.stage {
		case idle:
			if len(w.queue.items) == 0 || w.queue.items[0].Due > w.now {
				return fired
			}
			w.poll()
		case polled:
			w.advanceClock()
		case advanced:
			fired = w.flush(fired)
			continue
		}
		if w.held {
			w.held, w.paused = false, true
			return fired
		}
	}
	return fired
}

// poll takes the head out of the queue.
func (w *RussellLuo) poll() {
	w.taken, w.stage = w.queue.pop(), polled
	w.cost.Slots++
	if w.log != nil {
		b := w.taken
		w.tell(Event{Kind: KindDequeue, FromLevel: b.Level, FromSlot: b.Slot, Due: b.Due, ToLevel: NoLevel})
	}
}

// index is the slot being worked, over all levels.
func (w *RussellLuo) index() uint32 { return w.levels[w.taken.Level].first + w.taken.Slot }

// advanceClock moves the clock to the expiration that the slot has by now, be it
// another than the one it waited with. One that was emptied before has none.
func (w *RussellLuo) advanceClock() {
	if at := w.waits[w.index()]; at >= w.clock+w.u {
		w.clock = at
	}
	w.stage = advanced
}

// flush works the timers of the slot as Kafka.flush does.
func (w *RussellLuo) flush(fired []Expiry) []Expiry {
	l, index := int(w.taken.Level), w.index()
	here := len(w.slots[index].ids)
	k := 0
	for ; k < here && !w.dead; k++ {
		if !w.arena.spend(1) {
			return fired
		}
		if !w.slots[index].holds(&w.arena, index, k) {
			continue
		}
		w.cost.Touched++
		i := w.slots[index].ids[k]
		n := w.arena.at(i)
		switch key, due := n.key, n.due; {
		case due < w.clock+w.u:
			fired = w.expired(&w.Kafka, i, n, w.taken.Level, w.taken.Slot, fired)
			w.early(key, due)
		case w.slotOf(due) == index:
			w.finding(CodeStuck, key, int64(here), int64(k))
			k-- // it stands where it stood
		default:
			w.cost.Moved++
			w.settleIn(KindCascade, i, n, w.taken.Level, w.taken.Slot)
		}
	}
	w.slots[index].settle(&w.arena, index, 0, k)
	w.settleEmpty(&w.arena, l, index)
	w.waits[index], w.stage = 0, idle
	return fired
}

// slotOf is the slot, over all levels, that a timer belongs into by now.
func (w *RussellLuo) slotOf(due Tick) uint32 {
	l := 0
	for !w.reaches(l, due) {
		l++
	}
	v := &w.levels[l]
	return v.first + v.slotOf(v.index(due))
}

// Clone copies the wheel.
func (w *RussellLuo) Clone() Wheel {
	c := *w
	c.Kafka = *w.Kafka.Clone().(*Kafka)
	return &c
}

// Check verifies every slot. What waits in the queue need not be what the slots
// say: that is the fault.
func (w *RussellLuo) Check() error {
	c := checker{arena: &w.arena}
	c.tower(&w.tower, func(i int, s int64, n *node) bool {
		l := &w.levels[i]
		return l.index(n.due)%l.n == s
	})
	return c.done()
}

// cloneOver copies the wheel whole: Kafka's own would forget what it adds.
func (w *RussellLuo) cloneOver(Wheel) Wheel { return w.Clone() }
