package riicarus

import (
	"cmp"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"github.com/wheelscope/wheelscope/wheel/port/internal/ring"
)

// Faults of the riicarus sketch, in the order of faultNames.
const (
	riicarusStale        core.Faults = 1 << iota // fault: a bucket that is not empty after a poll keeps its old timestamp, so it is polled again immediately
	riicarusDelayFromNow                         // fault: slot and round are computed from the delay of the timer, as if the delay began at Config.Start
)

var faultNames = []string{"stale", "delay-from-now"}

// Config holds the geometry of a riicarus wheel and the faults that are switched on.
type Config struct {
	Slots        int        // number of slots, 1 to SlotsMax
	Width        wheel.Tick // base ticks per slot, 1 or more
	Start        wheel.Tick // tick from which timestamps and rounds are counted
	Stale        bool       // whether to switch on the fault "stale": a bucket that is not empty after a poll is polled again immediately
	DelayFromNow bool       // whether to switch on the fault "delay-from-now": slots are computed as if the delay of a timer began at Start
}

// riicarus is an array of buckets (slots) driven by a delay queue. The queue returns each bucket at the tick at which
// the wheel must poll the bucket.
type riicarus struct {
	core.Base
	n, u, start wheel.Tick // number of buckets, base ticks per bucket, and Config.Start
	buckets     []bucket
	queue       core.DelayQueue
	on          core.Faults // faults that are switched on
	armed       uint64      // number of entries added to buckets so far; copied to bucketEntry.order, which orders the entries of a round
	marked      int         // number of cancelled timers that are still in a bucket
	// steps is the number of the current or most recent call to ProcessTick, counted from 1. It is stored in
	// Node.Pos of the runs that are placed during the call. Node.Pos is 0 for all other runs.
	steps     uint32
	inStep    bool          // whether ProcessTick is running
	reruns    int           // number of runs that the current call to ProcessTick both scheduled and fired
	taken     []bucketEntry // entries removed by the current poll
	processed int           // number of entries in taken that have been processed, including the current one
	polled    uint32        // number of the bucket of the current poll
}

// New returns an empty wheel with configuration c. It returns a *wheel.ParamError if a field of c
// is out of range.
func New(c Config) (wheel.Observable, error) {
	if err := core.CheckRing(c.Slots, c.Width, c.Start); err != nil {
		return nil, err
	}
	w := &riicarus{n: int64(c.Slots), u: c.Width, start: c.Start}
	w.Reached = c.Start
	w.buckets = make([]bucket, c.Slots)
	if c.Stale {
		w.on |= riicarusStale
	}
	if c.DelayFromNow {
		w.on |= riicarusDelayFromNow
	}
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	on := core.ReadFaults(p, faultNames)
	return New(Config{Slots: int(p["slots"].(int64)), Width: p["width"].(int64), Start: s.Start,
		Stale: on.Has(riicarusStale), DelayFromNow: on.Has(riicarusDelayFromNow)})
}

// WakesItself marks the wheel as driven by a delay queue; see [port.SelfWaking].
func (w *riicarus) WakesItself() {}

// Schedule adds the timer described by s. It returns the timer's handle and the number of runs of the timer that are
// already due; see [wheel.Wheel].
func (w *riicarus) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

func (w *riicarus) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	if soon := w.Reached + w.u; n.Due <= soon {
		return w.AtOnce(n, soon)
	}
	if len(w.queue.Items) >= wheel.LiveMax {
		return core.BadCapacity
	}
	dfs := n.Due - w.start
	if w.on.Has(riicarusDelayFromNow) {
		dfs = n.Due - w.Reached
	}
	span := w.n * w.u
	n.Slot, n.Pos = uint32(dfs%span/w.u), 0
	if w.inStep {
		n.Pos = w.steps
	}
	b := &w.buckets[n.Slot]
	w.armed++
	e := bucketEntry{dfs / span, w.armed, i}
	w.emitPut(n, b, e)
	if w.Arena.Aborted {
		return core.BadAborted
	}
	w.Costs.Compared += int64(b.push(e))
	w.wait(n.Slot, w.timestamp(n.Slot, e.round))
	return core.Placed
}

// timestamp returns the base tick at which the given round of the bucket with number slot begins.
func (w *riicarus) timestamp(slot uint32, round int64) wheel.Tick {
	return w.start + w.n*w.u*round + w.u*int64(slot)
}

// emitPut emits the place event of node n, whose entry e is about to be added to bucket b.
func (w *riicarus) emitPut(n *core.Node, b *bucket, e bucketEntry) {
	if w.Log == nil {
		return
	}
	placed := wheel.Event{Kind: wheel.KindPlace, ID: n.Key, Due: n.Due, Run: w.Arena.Run(n), X: e.round, FromLevel: wheel.NoLevel, ToSlot: n.Slot}
	if w.Log.Keep {
		placed.Before = w.before(n.Slot, b, e.round)
	}
	w.Emit(placed)
}

// before returns the key of the timer that follows a new timer with the given round in bucket b, that
// is, the first timer with a later round. It returns 0 if there is none. slot is the number of the
// bucket. A timer that a poll has removed counts as still in the bucket until it is processed.
func (w *riicarus) before(slot uint32, b *bucket, round int64) uint32 {
	next := b.after(&w.Arena, round)
	if w.processed < len(w.taken) && w.polled == slot && w.taken[w.processed].round > round {
		next = w.taken[w.processed].index
	}
	if next == 0 {
		return 0
	}
	return w.Arena.At(next).Key
}

// wait adds the bucket with number slot to the delay queue, which will return it at the given tick.
// wait does nothing if the bucket already waits for that tick or an earlier one.
func (w *riicarus) wait(slot uint32, at wheel.Tick) {
	b := &w.buckets[slot]
	if b.latest != 0 && b.latest <= at {
		return
	}
	b.latest = at
	w.offer(slot, at)
}

// offer adds the bucket with number slot to the delay queue, which will return it at the given tick.
// offer does nothing if the queue already has an entry for that bucket and tick.
func (w *riicarus) offer(slot uint32, at wheel.Tick) {
	if !w.buckets[slot].enter(at) {
		return
	}
	w.queue.Push(wheel.Bucket{Level: 0, Slot: slot, Due: at})
	if w.Log != nil {
		w.Emit(wheel.Event{Kind: wheel.KindEnqueue, FromSlot: slot, Due: at, ToLevel: wheel.NoLevel})
	}
}

// Cancel marks timer t as cancelled in O(1). The timer remains in its bucket until the bucket is polled for the round
// of the timer. Cancel returns false if t is not scheduled.
func (w *riicarus) Cancel(t wheel.Timer) bool {
	if !w.Mark(t) {
		return false
	}
	w.marked++
	return true
}

// Len returns the number of timers, without the cancelled ones that are still in a bucket.
func (w *riicarus) Len() int { return w.Arena.Live - w.marked }

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
func (w *riicarus) Clone() wheel.Observable {
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

// bucket is a slot of a riicarus wheel: a binary heap of timers, ordered by round, then by order of
// scheduling.
type bucket struct {
	entries []bucketEntry
	latest  wheel.Tick   // timestamp of the bucket: the tick for which the bucket waits in the delay queue; 0 if it is not waiting
	waits   []wheel.Tick // ticks of the bucket's entries in the delay queue, in descending order
}

// bucketStays is the maximum capacity, in entries, that an empty bucket keeps. Without this limit, a
// large group of timers that moves from bucket to bucket would leave every bucket with a large capacity.
const bucketStays = 64

type bucketEntry struct {
	round int64 // number of the revolution for which the timer is scheduled, counted from 0 at Config.Start
	order uint64
	index uint32 // index of the timer's node in the arena
}

func (e bucketEntry) compare(o bucketEntry) int {
	return cmp.Or(cmp.Compare(e.round, o.round), cmp.Compare(e.order, o.order))
}

// push adds entry e and returns the number of comparisons.
func (b *bucket) push(e bucketEntry) (compared int) {
	b.entries = append(b.entries, e)
	for k := len(b.entries) - 1; k > 0; {
		up := (k - 1) / 2
		compared++
		if e.compare(b.entries[up]) >= 0 {
			break
		}
		b.entries[k], b.entries[up] = b.entries[up], e
		k = up
	}
	return compared
}

// pop removes the first entry of the bucket, which must not be empty, and returns it with the
// number of comparisons.
func (b *bucket) pop() (first bucketEntry, compared int) {
	first = b.entries[0]
	last := len(b.entries) - 1
	e := b.entries[last]
	b.entries = b.entries[:last]
	for k := 0; k < last; {
		least := 2*k + 1
		if least+1 < last {
			compared++
			if b.entries[least+1].compare(b.entries[least]) < 0 {
				least++
			}
		}
		if least < last {
			compared++
		}
		if least >= last || e.compare(b.entries[least]) <= 0 {
			b.entries[k] = e
			break
		}
		b.entries[k] = b.entries[least]
		k = least
	}
	return first, compared
}

// after returns the arena index of the first timer in the bucket whose round is later than the given
// round, or 0 if there is none. It is called only if events are recorded, because it examines every
// entry.
func (b *bucket) after(a *core.Arena, round int64) uint32 {
	var first *bucketEntry
	for k := range b.entries {
		if !a.Spend(1) {
			return 0
		}
		if e := &b.entries[k]; e.round > round && (first == nil || e.compare(*first) < 0) {
			first = e
		}
	}
	if first == nil {
		return 0
	}
	return first.index
}

// enter adds the given tick to b.waits. It returns false if b.waits already contains that tick.
func (b *bucket) enter(at wheel.Tick) bool {
	k, there := slices.BinarySearchFunc(b.waits, at, func(w, at wheel.Tick) int { return cmp.Compare(at, w) })
	if !there {
		b.waits = slices.Insert(b.waits, k, at)
	}
	return !there
}

// dequeued removes the earliest tick from waits. It is called when the delay queue has returned an
// entry of the bucket, which is always the earliest of the bucket's entries.
func (b *bucket) dequeued() { b.waits = b.waits[:len(b.waits)-1] }

// appendState appends the bucket to s as the slot with the given number. It includes the first
// timers in order, at most limit of them, or all if limit is wheel.AllEntries. If the bucket is
// empty, appendState does nothing.
func (b *bucket) appendState(s *wheel.State, a *core.Arena, slot uint32, limit int) {
	count := len(b.entries)
	if count == 0 {
		return
	}
	if limit == wheel.AllEntries || limit > count {
		limit = count
	}
	p := wheel.Place{Slot: slot, Count: count}
	if limit > 0 {
		rest := bucket{entries: slices.Clone(b.entries)}
		p.Entries = s.Room(limit)
		for range limit {
			e, _ := rest.pop()
			p.Entries = append(p.Entries, a.Entry(e.index, e.round))
		}
	}
	s.Places = append(s.Places, p)
}
