package wheel

// next is the number of the next tick with work, or 0.
func (w *positions) next() int64 {
	if w.dead {
		return 0
	}
	if d := w.occ.ahead(uint32((w.tick+w.n-1)%w.n), w.n); d > 0 {
		return w.tick + d
	}
	return 0
}

// shift is the tick at which the hand would have begun had it lost none.
func (w *positions) shift() Tick { return w.start + w.lost*w.u }

// Next is when the next occupied slot is worked.
func (w *positions) Next() (Tick, bool) {
	k := w.next()
	return w.shift() + k*w.u, k > 0
}

// Clock trails Now by the ticks that were lost, and stands where the wheel does.
func (w *positions) Clock() Tick { return w.now - w.lost*w.u }

// advanceFrom is Advance: ticks are counted from the start.
func (w *positions) advanceFrom(h hander, to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	shift := w.shift()
	w.now -= shift
	fired, status := w.advance(h, w.u, min(max(to, 0), TickMax)-shift, fired, budget)
	w.now += shift
	return fired, status
}

// resume is Resume. A library that counts ticks works the one that its ticker has kept
// while nobody listened; one that does not, with that fault corrected, makes up for all.
func (w *positions) resume(p library, to Tick, fired []Expiry) ([]Expiry, Status) {
	if !w.skips || w.stopped() || to <= w.now {
		return w.advanceFrom(p, to, fired, 0)
	}
	to = min(to, TickMax)
	missed := (to-w.start)/w.u - w.lost - w.tick
	w.now = to
	if missed == 0 {
		return fired, Done
	}
	w.lost += missed - 1
	w.walk(w.tick + 1)
	w.at = to
	fired = w.work(p, fired)
	if w.stopped() {
		return fired, w.status()
	}
	return fired, Done
}

// walk brings the hand to where k ticks have been worked: each examined a slot.
func (w *positions) walk(k int64) {
	w.cost.Slots += k - w.tick
	w.tick, w.hand = k, k%w.n
}

// tickAt works the slot of the tick that has come, at its time.
func (w *positions) tickAt(p library, fired []Expiry) []Expiry {
	w.at = w.shift() + w.tick*w.u
	return w.work(p, fired)
}

// work visits the slot of the tick that has come: the hand moves on after it.
func (w *positions) work(p library, fired []Expiry) []Expiry {
	s := uint32((w.tick - 1) % w.n)
	if w.slots[s].live() == 0 {
		return fired
	}
	w.visiting = true
	v := visit{w: w, p: p, slot: s, here: len(w.slots[s].ids), fired: fired}
	v.run()
	w.visiting = false
	w.slots[s].settle(&w.arena, 0, 0)
	w.settleEmpty(s)
	return v.fired
}

// visit is one visit of a slot. It writes tombstones; the slot is settled when it
// is over.
type visit struct {
	w     *positions
	p     library
	slot  uint32
	here  int // entries when it began
	due   int64
	runs  int64
	again uint32 // key of the first timer met a second time
	fired []Expiry
}

// rerunsMax bounds the runs of timers that were put into the slot during its own
// visit. One more is called a tick without end: two timers have run 1001 times.
const rerunsMax = 999

// run fires what has no rounds left, in order; the rest lose one.
func (v *visit) run() {
	w := v.w
	s := &w.slots[v.slot]
	waiting := s.waiting(&w.arena)
	if w.arena.aborted {
		return
	}
	v.due = int64(s.live()) - int64(waiting)
	if w.log != nil {
		w.tellHand(0, v.slot, waiting)
	}
	for k, more := 0, true; more && k < len(s.ids) && w.arena.spend(1); k++ {
		if s.ids[k] == 0 {
			continue
		}
		last := v.isLast(k)
		v.meet(k)
		more = k+1 < v.here || v.p.walksOn() && !last && !w.dead
	}
	if v.again != 0 && !w.stopped() {
		w.finding(CodeStorm, v.again, v.due, v.runs)
	}
}

// isLast says whether no timer stands behind entry k.
func (v *visit) isLast(k int) bool {
	for _, i := range v.w.slots[v.slot].ids[k+1:] {
		if i != 0 || !v.w.arena.spend(1) {
			return false
		}
	}
	return true
}

// meet is what happens to the timer of entry k.
func (v *visit) meet(k int) {
	w := v.w
	s := &w.slots[v.slot]
	w.cost.Touched++
	switch i := s.ids[k]; {
	case s.rounds[k] > 0:
		s.rounds[k]--
		if k >= v.here {
			v.tellAgain(k)
		}
	case !w.dead:
		s.ids[k] = 0
		s.dead++
		v.fire(i, k >= v.here)
	}
}

// fire lets a timer run that has been taken out, and tells what is wrong with that
// run when its next one is armed.
func (v *visit) fire(i uint32, rerun bool) {
	w := v.w
	n := w.arena.at(i)
	key, aim, extra := n.key, v.p.aim(i, n), v.p.unasked(i, n)
	v.runs++
	v.fired = w.expired(v.p, i, n, 0, v.slot, v.fired)
	w.tellAfter(key)
	if extra.code != CodeNone {
		w.finding(extra.code, key, extra.expect, extra.got)
	}
	if !rerun {
		w.offTime(key, aim, w.at, w.u)
		return
	}
	if v.again == 0 {
		v.again = key
	}
	if v.runs-v.due >= rerunsMax && !w.dead {
		w.finding(CodeStuck, key, v.due, v.runs)
	}
}

// tellAgain tells that a timer put here during the visit lost a round in it: it
// stands where it stood, with one round less.
func (v *visit) tellAgain(k int) {
	w := v.w
	if w.log == nil {
		return
	}
	s := &w.slots[v.slot]
	e := Event{Kind: KindPlace, X: s.rounds[k], FromSlot: v.slot, ToSlot: v.slot}
	n := w.arena.at(s.ids[k])
	e.ID, e.Due, e.Run = n.key, n.due, w.arena.run(n)
	for _, i := range s.ids[k+1:] {
		if i != 0 {
			e.Before = w.arena.at(i).key
			break
		}
		if !w.arena.spend(1) {
			return
		}
	}
	w.tell(e)
}
