package wheel

import (
	"cmp"
	"slices"
)

// next is the tick of the queue's head, or now where that has passed; 0: none.
func (w *Riicarus) next() int64 {
	if w.dead || len(w.queue.items) == 0 {
		return 0
	}
	return max(w.queue.items[0].Due, w.now)
}

// Next is the tick at which the head of the delay queue comes out; now, where it
// is due already.
func (w *Riicarus) Next() (Tick, bool) {
	k := w.next()
	return k, k > 0
}

// Advance takes out of the delay queue what is due by `to`.
func (w *Riicarus) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, 1, to, fired, budget)
}

// walk moves to tick k: the wheel's clock is that of the machine.
func (w *Riicarus) walk(k Tick) { w.now = k }

// step polls every bucket that has come due.
func (w *Riicarus) step(fired []Expiry) []Expiry {
	w.inStep, w.reruns = true, 0
	if w.steps++; w.steps == 0 {
		w.steps = 1
	}
	for !w.dead && len(w.queue.items) > 0 && w.queue.items[0].Due <= w.now && w.arena.spend(1) {
		fired = w.comesOut(w.queue.pop(), fired)
	}
	w.inStep = false
	return fired
}

// comesOut takes a bucket out of the delay queue, polls it and fires what that
// gives.
func (w *Riicarus) comesOut(q Bucket, fired []Expiry) []Expiry {
	b := &w.buckets[q.Slot]
	b.comesOut()
	w.cost.Slots++
	if w.log != nil {
		w.tell(Event{Kind: KindDequeue, FromSlot: q.Slot, Due: q.Due, ToLevel: NoLevel})
	}
	if q.Due != b.latest {
		return fired // it was entered again, and has been here before
	}
	w.poll(q.Slot, b)
	for w.met < len(w.taken) && !w.dead && w.arena.spend(1) {
		w.met++
		fired = w.fire(w.taken[w.met-1].index, q.Slot, fired)
	}
	for ; w.met < len(w.taken) && w.arena.spend(1); w.met++ {
		b.push(w.taken[w.met]) // it stays where it was
	}
	if cap(w.taken) > bucketStays {
		w.taken, w.met = nil, 0
	}
	return fired
}

// poll takes the least round out of a bucket, and enters the bucket again for the
// round after it. Stale, the bucket keeps the timestamp that has just come out, so
// it is due again at once.
func (w *Riicarus) poll(slot uint32, b *bucket) {
	w.taken, w.met, w.polled = w.taken[:0], 0, slot
	round := b.entries[0].round
	for len(b.entries) > 0 && b.entries[0].round == round && w.arena.spend(1) {
		e, compared := b.pop()
		w.cost.Touched++
		w.cost.Compared += int64(compared)
		w.taken = append(w.taken, e)
	}
	switch {
	case len(b.entries) == 0:
		b.latest = 0
		if cap(b.entries) > bucketStays {
			b.entries = nil
		}
		return
	case !w.on.has(riicarusStale):
		b.latest = w.timestamp(slot, b.entries[0].round)
	}
	w.offer(slot, b.latest)
}

// fire lets a timer run that has been taken out of its bucket; one that is marked
// leaves.
func (w *Riicarus) fire(i, slot uint32, fired []Expiry) []Expiry {
	n := w.arena.at(i)
	if n.state == stateMarked {
		if w.log != nil {
			w.tell(Event{Kind: KindSweep, ID: n.key, Due: n.due, FromSlot: slot, ToLevel: NoLevel})
		}
		w.marked--
		w.arena.release(i, n)
		return fired
	}
	key, rerun := n.key, n.pos == w.steps
	aim := n.due - (n.due-w.start)%w.u
	fired = w.expired(w, i, n, 0, slot, fired)
	if w.now < aim {
		w.finding(CodeEarly, key, aim, w.now)
	}
	if rerun {
		if w.reruns++; w.reruns > rerunsMax {
			w.finding(CodeStuck, key, 1, int64(w.reruns))
		}
	}
	return fired
}

// IdlePeak is nothing: a tick at which no bucket comes out costs nothing.
func (w *Riicarus) IdlePeak(Tick) (int64, Tick) { return 0, 0 }

// Layout is one ring.
func (w *Riicarus) Layout() Layout {
	return Layout{Shape: ShapeRing, Levels: []Level{{0, int(w.n), w.u}}, FromStart: true}
}

// AppendState appends the buckets that hold timers, by round, and the delay queue.
func (w *Riicarus) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	for k := range w.buckets {
		w.buckets[k].appendState(s, &w.arena, uint32(k), most)
	}
	s.Queue = w.queue.appendSorted(s.Queue)
	s.Counts, s.Live = w.counts, w.Len()
}

// Clone copies the wheel.
func (w *Riicarus) Clone() Wheel {
	c := *w
	c.log, c.taken = nil, nil
	c.arena, c.queue = w.arena.clone(), w.queue.clone()
	c.buckets = slices.Clone(w.buckets)
	for k := range c.buckets {
		b := &c.buckets[k]
		b.entries, b.waits = slices.Clone(b.entries), slices.Clone(b.waits)
	}
	return &c
}

// Bytes is the memory of the arena, the buckets and the delay queue.
func (w *Riicarus) Bytes() int64 {
	bytes := w.arena.bytes() + w.queue.bytes() + int64(cap(w.buckets))*56 + int64(cap(w.taken))*24
	for k := range w.buckets {
		bytes += int64(cap(w.buckets[k].entries))*24 + int64(cap(w.buckets[k].waits))*8
	}
	return bytes
}

// Check verifies every bucket: the order of its heap, that each timer stands where
// its due tick says, its timestamp, and its entries in the delay queue.
func (w *Riicarus) Check() error {
	c := checker{arena: &w.arena}
	marked, waits := 0, 0
	for s := range w.buckets {
		b := &w.buckets[s]
		waits += len(b.waits)
		for k, e := range b.entries {
			c.seen++
			n := w.arena.at(e.index)
			if n.state == stateMarked {
				marked++
			}
			if k > 0 && e.compare(b.entries[(k-1)/2]) < 0 {
				c.fail("bucket %d: entry %d comes before its parent", s, k)
			}
			due := w.timestamp(uint32(s), e.round)
			if n.slot != uint32(s) || !w.on.has(riicarusDelayFromNow) && due != n.due-(n.due-w.start)%w.u {
				c.fail("timer %d, due %d, does not belong into round %d of bucket %d", n.key, n.due, e.round, s)
			}
		}
		if !w.dead {
			w.checkWait(&c, uint32(s), b)
		}
	}
	if marked != w.marked || waits != len(w.queue.items) {
		c.fail("%d marked and %d entries in the delay queue, counted are %d and %d", marked, len(w.queue.items), w.marked, waits)
	}
	return c.done()
}

// checkWait verifies that a bucket waits for its least round.
func (w *Riicarus) checkWait(c *checker, s uint32, b *bucket) {
	if (b.latest == 0) != (len(b.entries) == 0) || b.latest != 0 && !slices.Contains(b.waits, b.latest) {
		c.fail("bucket %d of %d timers waits for %d, in the delay queue for %v", s, len(b.entries), b.latest, b.waits)
	}
	if b.latest != 0 && b.latest != w.timestamp(s, b.entries[0].round) {
		c.fail("bucket %d waits for %d, its least round is %d", s, b.latest, b.entries[0].round)
	}
	if !slices.IsSortedFunc(b.waits, func(x, y Tick) int { return cmp.Compare(y, x) }) {
		c.fail("bucket %d: entries in the delay queue out of order: %v", s, b.waits)
	}
}
