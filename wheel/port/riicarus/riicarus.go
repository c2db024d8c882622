package riicarus

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
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
func New(c Config) (wheel.Wheel, error) {
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

func build(p catalog.Params, s catalog.Env) (wheel.Wheel, error) {
	on := core.ReadFaults(p, faultNames)
	return New(Config{Slots: int(p["slots"].(int64)), Width: p["width"].(int64), Start: s.Start,
		Stale: on.Has(riicarusStale), DelayFromNow: on.Has(riicarusDelayFromNow)})
}

// WakesItself marks the wheel as driven by a delay queue; see [wheel.SelfWaking].
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
