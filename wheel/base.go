package wheel

// RunsAtOnceMax bounds the runs of one repeating timer that are found due
// already at one arming; a timer with more is refused with ErrPast.
const RunsAtOnceMax = 1 << 20

// verdict is what became of an arming.
type verdict uint8

const (
	placed      verdict = iota
	due                 // the clock has reached it: fires at once
	badRange            // ErrRange
	badCapacity         // ErrCapacity
	badPast             // ErrPast
	badFault            // ErrFault
	badAborted          // ErrAborted
)

func (v verdict) err() error {
	return [...]error{nil, nil, ErrRange, ErrCapacity, ErrPast, ErrFault, ErrAborted}[v]
}

func (v verdict) code() uint8 {
	return [...]uint8{0, 0, CodeRange, CodeCapacity, CodePast, CodeFault, CodeNone}[v]
}

// base is what every wheel has: the arena, the log, the counts.
type base struct {
	arena  arena
	log    *Log
	cost   Cost
	counts Counts
	now    Tick   // the last `to` of Advance; where it stopped, when dead
	dead   bool   // a finding says that the published rule can't go on: it stands still
	warmed uint32 // what slot.warm gave; nothing reads it
}

// placer puts a live node where its rule says, and tells so.
type placer interface {
	place(i uint32, n *node) verdict
}

func (b *base) Now() Tick        { return b.now }
func (b *base) Len() int         { return b.arena.live }
func (b *base) Cost() Cost       { return b.cost }
func (b *base) Observe(log *Log) { b.log = log }

// Armed says whether a timer waits for a run.
func (b *base) Armed(t Timer) bool {
	n := b.arena.lookup(t)
	return n != nil && n.state != stateMarked && !b.arena.aborted
}

// finish ends an arming whose first verdict was v: it runs what is due already,
// arms again what repeats, and releases what ends. Runs carried out are
// appended to fired where collect is set; their number is returned.
func (b *base) finish(p placer, i uint32, n *node, v verdict, fired []Expiry, collect bool) ([]Expiry, int, verdict) {
	runs := 0
	for v == due {
		if !b.arena.spend(1) {
			v = badAborted
			break
		}
		runs++
		if b.log != nil {
			b.tellExpire(n, NoLevel, 0)
		}
		if collect {
			fired = append(fired, Expiry{n.due, n.key, b.arena.run(n)})
		}
		b.counts.Expired++
		if !b.again(n) {
			break
		}
		v = arm(p, i, n)
	}
	if v == badAborted {
		return fired, runs, v
	}
	if v > due {
		b.counts.Rejected++
		if b.log != nil {
			b.tellArming(KindReject, n, v.code())
		}
	}
	if v != placed {
		b.arena.release(i, n)
	}
	return fired, runs, v
}

// again moves a timer that has fired to its next run and tells the schedule;
// false when there is none.
func (b *base) again(n *node) bool {
	if n.rep == 0 {
		return false
	}
	r := &b.arena.reps.items[n.rep]
	if r.left == 0 {
		return false
	}
	if r.left > 0 {
		r.left--
	}
	r.run++
	n.due += r.every
	n.state = stateLive
	b.counts.Scheduled++
	b.cost.Touched++
	if b.log != nil {
		b.tellArming(KindSchedule, n, CodeNone)
	}
	return true
}

// arm places a timer that is to run again, unless its due tick has left the 62
// bits that ticks fit.
func arm(p placer, i uint32, n *node) verdict {
	if n.due > TickMax {
		return badRange
	}
	return p.place(i, n)
}

// tooMany says whether a timer due by `clock` has more runs due by then than are
// carried out at once.
func (b *base) tooMany(n *node, clock Tick) bool {
	if n.rep == 0 {
		return false
	}
	r := &b.arena.reps.items[n.rep]
	if r.left >= 0 && r.left < RunsAtOnceMax {
		return false
	}
	return (clock-n.due)/r.every >= RunsAtOnceMax
}

// expired counts and reports the timer at i, which stood at (level, slot) and has
// been taken out of it, and arms it again if it repeats.
func (b *base) expired(p placer, i uint32, n *node, level int8, slot uint32, fired []Expiry) []Expiry {
	b.counts.Expired++
	if b.log != nil {
		b.tellExpire(n, level, slot)
	}
	fired = append(fired, Expiry{n.due, n.key, b.arena.run(n)})
	return b.repeat(p, i, n, fired)
}

// repeat arms a timer that has just fired again, or ends it.
func (b *base) repeat(p placer, i uint32, n *node, fired []Expiry) []Expiry {
	if !b.again(n) {
		b.arena.release(i, n)
		return fired
	}
	if v := arm(p, i, n); v != placed {
		fired, _, _ = b.finish(p, i, n, v, fired, true)
	}
	return fired
}

// schedule is Schedule of every wheel.
func (b *base) schedule(p placer, s *Spec) (Timer, int, error) {
	i, n, v := b.admit(s)
	if v == placed {
		v = p.place(i, n)
	}
	if v == placed {
		return Timer{i, n.gen}, 0, nil
	}
	return b.conclude(p, i, n, v)
}

// admit makes the node of a new timer, tells its schedule, and says whether it
// may be placed.
func (b *base) admit(s *Spec) (uint32, *node, verdict) {
	if !b.arena.spend(1) {
		return 0, nil, badAborted
	}
	i, n := b.arena.alloc()
	if s.Key == PlaceKey {
		s.Key = i
	}
	n.due, n.key, n.rep = s.Due, s.Key, 0
	b.counts.Scheduled++
	b.cost.Touched++
	if s.Every > 0 {
		n.rep = b.arena.reps.alloc(s.Every, s.Times)
	}
	if b.log != nil {
		b.tellArming(KindSchedule, n, CodeNone)
	}
	switch {
	case b.dead:
		return i, n, badFault
	case b.arena.live > LiveMax:
		return i, n, badCapacity
	case s.Due > TickMax || s.Due < -TickMax || s.Every > TickMax:
		return i, n, badRange
	}
	return i, n, placed
}

// conclude is the rest of a Schedule whose timer was not simply placed.
func (b *base) conclude(p placer, i uint32, n *node, v verdict) (Timer, int, error) {
	_, runs, v := b.finish(p, i, n, v, nil, false)
	if v == placed {
		return Timer{i, n.gen}, runs, nil
	}
	return Timer{}, runs, v.err()
}

func (b *base) tell(e Event) {
	b.arena.charge(1)
	e.Cost = b.cost.Total()
	b.log.Add(e)
}

func (b *base) tellArming(k Kind, n *node, code uint8) {
	b.tell(Event{Kind: k, Code: code, ID: n.key, Due: n.due, Run: b.arena.run(n), FromLevel: NoLevel, ToLevel: NoLevel})
}

func (b *base) tellExpire(n *node, level int8, slot uint32) {
	b.tell(Event{Kind: KindExpire, ID: n.key, Due: n.due, Run: b.arena.run(n), FromLevel: level, FromSlot: slot, ToLevel: NoLevel})
}

func (b *base) tellCancel(n *node, level int8, slot uint32) {
	b.tell(Event{Kind: KindCancel, ID: n.key, Due: n.due, FromLevel: level, FromSlot: slot, ToLevel: NoLevel})
}

func (b *base) tellHand(level int8, slot, count uint32) {
	b.tell(Event{Kind: KindHand, FromLevel: level, FromSlot: slot, Before: count, ToLevel: NoLevel})
}

// tellPlace tells a place (from NoLevel) or a cascade at the tail of a slot.
func (b *base) tellPlace(k Kind, n *node, fromLevel int8, fromSlot uint32, level int8, slot uint32, rounds int64) {
	b.tell(Event{Kind: k, ID: n.key, Due: n.due, Run: b.arena.run(n), X: rounds,
		FromLevel: fromLevel, FromSlot: fromSlot, ToLevel: level, ToSlot: slot})
}

// tellInsert tells that a timer was put in front of node next, 0: at the tail, of a
// slot (or list) at level 0 that is kept in order.
func (b *base) tellInsert(n *node, fromLevel int8, fromSlot, slot, next uint32) {
	e := Event{Kind: KindPlace, ID: n.key, Due: n.due, Run: b.arena.run(n), X: NoRounds,
		FromLevel: fromLevel, FromSlot: fromSlot, ToSlot: slot}
	if next != 0 {
		e.Before = b.arena.at(next).key
	}
	b.tell(e)
}

// ceilDiv is ceil(x/u) for u > 0.
func ceilDiv(x, u int64) int64 {
	if u == 1 {
		return x
	}
	q := x / u
	if x > q*u {
		q++
	}
	return q
}
