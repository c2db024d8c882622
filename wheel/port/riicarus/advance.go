package riicarus

import (
	"cmp"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"github.com/wheelscope/wheelscope/wheel/port/internal/ring"
)

// NextWork returns the tick at which the next bucket leaves the delay queue, or Now if that tick
// has passed. It returns 0 if the queue is empty or the wheel is halted.
func (w *riicarus) NextWork() int64 {
	if w.Halted || len(w.queue.Items) == 0 {
		return 0
	}
	return max(w.queue.Items[0].Due, w.Reached)
}

// Next returns the tick at which the next bucket leaves the delay queue, or Now if that tick has
// passed. It returns false if the queue is empty or the wheel is halted.
func (w *riicarus) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return k, k > 0
}

// Advance processes the buckets that leave the delay queue at or before tick to; see [wheel.Wheel].
func (w *riicarus) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// AdvanceClock sets the clock to tick k. The published code reads the system clock instead.
func (w *riicarus) AdvanceClock(k wheel.Tick) { w.Reached = k }

// ProcessTick processes the buckets that have become due, and appends the runs that fire to fired.
func (w *riicarus) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	w.inStep, w.reruns = true, 0
	if w.steps++; w.steps == 0 {
		w.steps = 1
	}
	for !w.Halted && len(w.queue.Items) > 0 && w.queue.Items[0].Due <= w.Reached && w.Arena.Spend(1) {
		fired = w.dequeued(w.queue.Pop(), fired)
	}
	w.inStep = false
	return fired
}

// dequeued processes bucket q, which has left the delay queue: it polls the bucket and fires the
// timers that the poll returns. It ignores q if q.Due is no longer the timestamp of the bucket,
// because the bucket has since entered the queue again for another tick.
func (w *riicarus) dequeued(q wheel.Bucket, fired []wheel.Expiry) []wheel.Expiry {
	b := &w.buckets[q.Slot]
	b.dequeued()
	w.Costs.Slots++
	if w.Log != nil {
		w.Emit(wheel.Event{Kind: wheel.KindDequeue, FromSlot: q.Slot, Due: q.Due, ToLevel: wheel.NoLevel})
	}
	if q.Due != b.latest {
		return fired // the bucket has entered the queue again for another tick
	}
	w.poll(q.Slot, b)
	for w.processed < len(w.taken) && !w.Halted && w.Arena.Spend(1) {
		w.processed++
		fired = w.fire(w.taken[w.processed-1].index, q.Slot, fired)
	}
	for ; w.processed < len(w.taken) && w.Arena.Spend(1); w.processed++ {
		b.push(w.taken[w.processed]) // it stays where it was
	}
	if cap(w.taken) > bucketStays {
		w.taken, w.processed = nil, 0
	}
	return fired
}

// poll moves the timers of the lowest round from bucket b, which has number slot, to w.taken. If timers of later rounds
// are left, poll adds b to the delay queue again, for the lowest of these rounds. But if the fault "stale" is switched
// on, poll adds b with its old timestamp, so that b is due again immediately.
func (w *riicarus) poll(slot uint32, b *bucket) {
	w.taken, w.processed, w.polled = w.taken[:0], 0, slot
	round := b.entries[0].round
	for len(b.entries) > 0 && b.entries[0].round == round && w.Arena.Spend(1) {
		e, compared := b.pop()
		w.Costs.Touched++
		w.Costs.Compared += int64(compared)
		w.taken = append(w.taken, e)
	}
	switch {
	case len(b.entries) == 0:
		b.latest = 0
		if cap(b.entries) > bucketStays {
			b.entries = nil
		}
		return
	case !w.on.Has(riicarusStale):
		b.latest = w.timestamp(slot, b.entries[0].round)
	}
	w.offer(slot, b.latest)
}

// fire fires the timer with index i, which a poll has removed from the bucket with number slot, and
// appends its run to fired. If the timer is marked as cancelled, fire sweeps it instead.
func (w *riicarus) fire(i, slot uint32, fired []wheel.Expiry) []wheel.Expiry {
	n := w.Arena.At(i)
	if n.State == core.StateMarked {
		if w.Log != nil {
			w.Emit(wheel.Event{Kind: wheel.KindSweep, ID: n.Key, Due: n.Due, FromSlot: slot, ToLevel: wheel.NoLevel})
		}
		w.marked--
		w.Arena.Release(i, n)
		return fired
	}
	key, rerun := n.Key, n.Pos == w.steps
	aim := n.Due - (n.Due-w.start)%w.u
	fired = w.Expire(w, i, n, 0, slot, fired)
	if w.Reached < aim {
		w.EmitFinding(wheel.CodeEarly, key, aim, w.Reached)
	}
	if rerun {
		if w.reruns++; w.reruns > ring.RerunsMax {
			w.EmitFinding(wheel.CodeStuck, key, 1, int64(w.reruns))
		}
	}
	return fired
}

// IdlePeak returns the largest cost of an idle tick, and that tick. Both are 0, because a tick at which no bucket
// leaves the delay queue costs nothing.
func (w *riicarus) IdlePeak(wheel.Tick) (int64, wheel.Tick) { return 0, 0 }

// Layout returns the layout of the wheel: a ring of one level.
func (w *riicarus) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeRing, Levels: []wheel.Level{{Level: 0, Slots: int(w.n), Width: w.u}}, FromStart: true}
}

// AppendState appends the occupied buckets and the delay queue to s. Each bucket includes at most
// limit timers, in order of round. AppendState also sets s.Counts and s.Live; see [wheel.Wheel].
func (w *riicarus) AppendState(s *wheel.State, limit int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	for k := range w.buckets {
		w.buckets[k].appendState(s, &w.Arena, uint32(k), limit)
	}
	s.Queue = w.queue.AppendSorted(s.Queue)
	s.Counts, s.Live = w.Counts, w.Len()
}

// Clone returns an independent copy of the wheel, without its log.
func (w *riicarus) Clone() wheel.Wheel {
	c := *w
	c.taken = nil
	c.Base, c.queue = w.Base.Copy(), w.queue.Clone()
	c.buckets = slices.Clone(w.buckets)
	for k := range c.buckets {
		b := &c.buckets[k]
		b.entries, b.waits = slices.Clone(b.entries), slices.Clone(b.waits)
	}
	return &c
}

// Bytes returns the number of bytes of memory that the arena, the buckets and the delay queue use.
func (w *riicarus) Bytes() int64 {
	bytes := w.Arena.Bytes() + w.queue.Bytes() + int64(cap(w.buckets))*56 + int64(cap(w.taken))*24
	for k := range w.buckets {
		bytes += int64(cap(w.buckets[k].entries))*24 + int64(cap(w.buckets[k].waits))*8
	}
	return bytes
}

// Check verifies the heap order, the timers, the timestamp and the delay queue entries of every
// bucket. It returns the first violation found, or nil.
func (w *riicarus) Check() error {
	c := core.Checker{Arena: &w.Arena}
	marked, waits := 0, 0
	for s := range w.buckets {
		b := &w.buckets[s]
		waits += len(b.waits)
		for k, e := range b.entries {
			c.Seen++
			n := w.Arena.At(e.index)
			if n.State == core.StateMarked {
				marked++
			}
			if k > 0 && e.compare(b.entries[(k-1)/2]) < 0 {
				c.Fail("bucket %d: entry %d comes before its parent", s, k)
			}
			due := w.timestamp(uint32(s), e.round)
			if n.Slot != uint32(s) || !w.on.Has(riicarusDelayFromNow) && due != n.Due-(n.Due-w.start)%w.u {
				c.Fail("timer %d, due %d, does not belong into round %d of bucket %d", n.Key, n.Due, e.round, s)
			}
		}
		if !w.Halted {
			w.checkWait(&c, uint32(s), b)
		}
	}
	if marked != w.marked || waits != len(w.queue.Items) {
		c.Fail("%d marked and %d entries in the delay queue, counted are %d and %d", marked, len(w.queue.Items), w.marked, waits)
	}
	return c.Done()
}

// checkWait verifies b.latest, the timestamp of bucket b, and b.waits, the ticks for which b is in the delay queue. If
// b contains timers, its timestamp must be the tick of the lowest round of the timers, and must be in b.waits. s is
// the number of the bucket.
func (w *riicarus) checkWait(c *core.Checker, s uint32, b *bucket) {
	if (b.latest == 0) != (len(b.entries) == 0) || b.latest != 0 && !slices.Contains(b.waits, b.latest) {
		c.Fail("bucket %d of %d timers waits for %d, in the delay queue for %v", s, len(b.entries), b.latest, b.waits)
	}
	if b.latest != 0 && b.latest != w.timestamp(s, b.entries[0].round) {
		c.Fail("bucket %d waits for %d, its least round is %d", s, b.latest, b.entries[0].round)
	}
	if !slices.IsSortedFunc(b.waits, func(x, y wheel.Tick) int { return cmp.Compare(y, x) }) {
		c.Fail("bucket %d: entries in the delay queue out of order: %v", s, b.waits)
	}
}
