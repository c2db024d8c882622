package wheel

// positions is what three small Go libraries (lk668, xiaoxu, godis) share, which with
// the sketch riicarus are the "seeds": the code that this project began with. One ring
// of slots with rounds, driven by a ticker. A tick works the slot under the
// hand and moves the hand on after that. A timer of j = delay div u ticks stands j
// slots ahead of the hand and so fires at the (j+1)-th tick after it was armed:
// the phase of the tick is left out, and it fires within (due−u, due+u].
//
//	reach          any delay
//	start, stop    O(1)
//	tick           O(timers of the slot)
type positions struct {
	base
	n, u, start Tick
	tick        int64 // ticks worked
	hand        int64 // the slot under the hand: tick mod n
	lost        int64 // ticks that went by while the driver stood still
	at          Tick  // when the tick being worked, or worked last, happened
	called      Tick  // when the calls are made, where that is later than now
	skips       bool  // a fault: ticks are counted, and those that were missed never made up
	visiting    bool
	slots       []roundSlot
	occ         bitmap
	spares      spares
	on          faults
	after       note // a finding about the arming under way, told when that is over
}

// note is a finding that is told later.
type note struct {
	code   uint8 // CodeNone: none
	expect int64
	got    int64
}

// library is one of those libraries: its rule for placing, and what it does with
// what its visit comes to. All but placing and a tick's work has a rule that most
// share.
type library interface {
	placer
	hander
	aim(i uint32, n *node) Tick     // the tick that the timer is meant to fire at
	walksOn() bool                  // a visit goes on into what was put there during it
	unasked(i uint32, n *node) note // the finding that a run is one too many
}

func (w *positions) aim(_ uint32, n *node) Tick { return n.due }

func (w *positions) walksOn() bool { return false }

func (w *positions) unasked(uint32, *node) note { return note{} }

func newPositions(slots int, width, start Tick, on faults) (positions, error) {
	if err := checkRing(slots, width, start); err != nil {
		return positions{}, err
	}
	w := positions{n: int64(slots), u: width, start: start, at: start, on: on}
	w.now = start
	w.slots = make([]roundSlot, slots)
	w.occ = newBitmap(slots)
	return w, nil
}

// Called tells when the calls that follow are made.
func (w *positions) Called(at Tick) { w.called = at }

// call is when the call under way is made.
func (w *positions) call() Tick { return max(w.now, w.called) }

// clock is the time by which delays are reckoned. A wheel that counts the ticks it is
// given takes a delay as it is told; one that makes up what it missed goes on from
// where it stands, and so reckons from there.
func (w *positions) clock() Tick {
	switch {
	case w.visiting:
		return w.at
	case w.skips:
		return w.call()
	}
	return w.now
}

// reached says whether the wheel's own clock, which may stand still, has come to a
// due tick that has passed.
func (w *positions) reached(due Tick) bool { return w.visiting || due <= w.now }

// ahead places a timer by the rule the libraries share, delta ≥ 0 base ticks
// before it is due: as if it were armed right after the tick.
func (w *positions) ahead(i uint32, n *node, delta Tick) verdict {
	if delta > TickMax {
		return badRange
	}
	by, rounds := w.turns(delta, w.u)
	return w.put(i, n, w.past(w.hand, by), rounds)
}

// turns gives how many slots and whole revolutions a length goes on by, in ticks of u.
func (w *positions) turns(length, u Tick) (by, circle int64) {
	if u != 1 {
		length /= u
	}
	circle = length / w.n
	return length - circle*w.n, circle
}

// past is the slot `by` slots past another; both are less than n.
func (w *positions) past(slot, by int64) uint32 {
	if slot += by; slot >= w.n {
		slot -= w.n
	}
	return uint32(slot)
}

// atOnce lets a timer fire that should have fired before.
func (w *positions) atOnce(n *node) verdict {
	if w.tooMany(n, w.clock()) {
		return badPast
	}
	return due
}

// fails refuses a timer because the published code dies of it.
func (w *positions) fails(least, met int64) verdict {
	w.after = note{CodePanic, least, met}
	return badFault
}

// put stands a timer in a slot.
func (w *positions) put(i uint32, n *node, slot uint32, rounds int64) verdict {
	n.slot = slot
	w.slots[slot].add(&w.arena, &w.spares, i, n, rounds)
	w.occ.set(slot)
	if w.log != nil {
		w.tellPlace(KindPlace, n, NoLevel, 0, 0, slot, rounds)
	}
	return placed
}

// armed is Schedule of a library.
func (w *positions) armed(p library, s *Spec) (Timer, int, error) {
	t, runs, err := w.schedule(p, s)
	w.tellAfter(s.Key)
	return t, runs, err
}

// tellAfter tells the finding about an arming that is over.
func (w *positions) tellAfter(key uint32) {
	if f := w.after; f.code != CodeNone {
		w.after = note{}
		w.finding(f.code, key, f.expect, f.got)
	}
}

// Cancel disarms a timer in O(1).
func (w *positions) Cancel(t Timer) bool {
	n := w.arena.find(t)
	if n == nil {
		return false
	}
	w.cost.Touched++
	w.counts.Cancelled++
	if w.log != nil {
		w.tellCancel(n, 0, n.slot)
	}
	w.slots[n.slot].remove(&w.arena, n.pos)
	w.settleEmpty(n.slot)
	w.arena.release(t.index, n)
	return true
}

// settleEmpty forgets a slot that has become empty.
func (w *positions) settleEmpty(s uint32) {
	if v := &w.slots[s]; len(v.ids) == 0 {
		w.occ.clear(s)
		v.giveBack(&w.arena, &w.spares)
	}
}
