package goruntime

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

const (
	arity          = 4
	none           = wheel.Tick(-1) // 0 in the runtime, whose clock is never 0
	entrySize      = 24             // size of an entry in bytes
	zombieFraction = 4              // a check removes all zombies if they are more than 1/zombieFraction of the heap
)

// timers is the heap of one P.
type timers struct {
	core.Base
	heap        []entry
	zombies     int        // number of zombies in the heap
	length      int        // length of the heap when the runtime last released its lock; see unlock
	minHeap     wheel.Tick // key of the first entry, or none; when the last entries are removed by clean, it may be out of date
	minModified wheel.Tick // no later than the due tick of any entry whose key is stale, or none
	call        wheel.Tick // tick of the current operation; later than Now while the driver is stalled
	firing      bool       // whether PlaceNode is called for the next run of the timer that fires, the first of the heap
}

// entry is an element of the heap. The Pos field of the timer's node is its index.
type entry struct {
	key    wheel.Tick // tick that orders the heap
	when   wheel.Tick // tick at which the timer fires; differs from key only if the entry is stale
	id     uint32     // index of the timer's node
	stale  bool       // whether the timer was reset since key was set; timerModified in the runtime, where a zombie has it, too
	zombie bool       // whether the timer was stopped; the State field of its node is core.StateMarked
}

// New returns an empty heap with its clock at start. It returns a *wheel.ParamError if start is out of range.
func New(start wheel.Tick) (wheel.Observable, error) {
	if err := core.CheckStart(start); err != nil {
		return nil, err
	}
	w := &timers{minHeap: none, minModified: none}
	w.Reached = start
	return w, nil
}

func build(_ catalog.Params, s catalog.Env) (wheel.Observable, error) { return New(s.Start) }

// SetCallTime sets the tick at which the next operations take place; see [port.CallTimeSetter].
func (w *timers) SetCallTime(at wheel.Tick) { w.call = at }

// whenOf returns the tick at which a timer with the given due tick fires if it is scheduled now.
func (w *timers) whenOf(due wheel.Tick) wheel.Tick { return max(due, w.call, w.Reached) }

// Schedule adds the timer described by s in O(log n) time, as time.AfterFunc does. A timer that is already due fires at
// the next tick, so the number of runs that Schedule returns is always 0.
func (w *timers) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

// PlaceNode adds the timer of node n, which has index i, to the end of the heap and moves it up. If the timer has just
// fired, PlaceNode leaves it in the first entry with its new key, and moves it down.
func (w *timers) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	if w.firing {
		w.heap[0].key, w.heap[0].when = n.Due, n.Due
		w.emitPlace(n, 0)
		w.down(0)
		w.updateMinHeap()
		return core.Placed
	}
	w.clean()
	n.Pos = uint32(len(w.heap))
	when := w.whenOf(n.Due)
	w.heap = append(w.heap, entry{key: when, when: when, id: i})
	w.emitPlace(n, n.Pos)
	w.up(int(n.Pos))
	if w.heap[0].id == i {
		w.minHeap = when
	}
	w.unlock()
	return core.Placed
}

// Cancel implements Timer.Stop: it marks the entry of timer t as a zombie and moves nothing. It returns false if t is not
// scheduled.
func (w *timers) Cancel(t wheel.Timer) bool {
	if w.Mark(t) {
		w.heap[w.Arena.At(t.Index()).Pos].zombie = true
		w.zombies++
		return true
	}
	if !t.IsZero() {
		w.Costs.Touched++
	}
	return false
}

// Reset implements Timer.Reset: it schedules s in place of timer t, whose entry it takes over with its key, even if t was
// cancelled. If t is no longer in the heap, Reset is like Schedule; see [port.Resetter].
func (w *timers) Reset(t wheel.Timer, s wheel.Spec) (wheel.Timer, int, error) {
	n := w.Arena.Find(t)
	if n == nil || s.Key == 0 {
		return w.Schedule(s)
	}
	if s.Due > wheel.TickMax || s.Due < -wheel.TickMax || s.Every > wheel.TickMax { // will be rejected
		w.Cancel(t)
		return w.Schedule(s)
	}
	k := n.Pos
	w.vacate(k, t.Index(), n)
	i, n, v := w.Admit(&s)
	if v != core.Placed {
		return w.Conclude(w, i, n, v)
	}
	e := &w.heap[k]
	n.Pos = k
	e.id, e.when, e.stale, e.zombie = i, w.whenOf(s.Due), true, false
	if w.minModified == none || e.when < w.minModified {
		w.minModified = e.when
	}
	w.emitPlace(n, k)
	return wheel.NewTimer(i, n.Gen), 0, nil
}

// vacate ends the timer of entry k, whose node is n and has index i: a zombie is swept, another timer cancelled. The
// entry stays.
func (w *timers) vacate(k, i uint32, n *core.Node) {
	if w.heap[k].zombie {
		w.sweep(k)
		return
	}
	w.Counts.Cancelled++
	if w.Log != nil {
		w.EmitCancel(n, 0, k)
	}
	w.Arena.Release(i, n)
}

// sweep releases the node of the zombie at index k.
func (w *timers) sweep(k uint32) {
	i := w.heap[k].id
	n := w.Arena.At(i)
	w.zombies--
	if w.Log != nil {
		w.Emit(wheel.Event{Kind: wheel.KindSweep, ID: n.Key, Due: n.Due, FromSlot: k, ToLevel: wheel.NoLevel})
	}
	w.Arena.Release(i, n)
}

// clean removes zombies from the end of the heap, and zombies and stale keys from its beginning, before a timer is
// added; timers.cleanHead in the runtime.
func (w *timers) clean() {
	for len(w.heap) > 0 && w.Arena.Spend(1) {
		w.Costs.Touched++
		if last := len(w.heap) - 1; w.heap[last].zombie {
			w.sweep(uint32(last))
			w.heap = w.heap[:last]
			continue
		}
		w.Costs.Slots++
		if !w.fixHead() {
			return
		}
	}
}

// fixHead removes the first entry if it is a zombie, and brings its key up to date if it is stale. It returns false if
// the entry is neither.
func (w *timers) fixHead() bool {
	e := &w.heap[0]
	switch {
	case e.zombie:
		w.sweep(0)
		w.deleteMin()
	case e.stale:
		w.rekey(0)
		w.down(0)
		w.updateMinHeap()
	default:
		return false
	}
	return true
}

// rekey brings the key of the stale entry k up to date. The entry stays at its index.
func (w *timers) rekey(k uint32) {
	e := &w.heap[k]
	e.key, e.stale = e.when, false
	if w.Log != nil {
		n := w.Arena.At(e.id)
		w.Emit(wheel.Event{Kind: wheel.KindRekey, ID: n.Key, Due: n.Due, FromSlot: k, ToLevel: wheel.NoLevel})
	}
}

// deleteMin removes the first entry, whose timer has ended.
func (w *timers) deleteMin() {
	w.fill(0)
	if len(w.heap) == 0 {
		w.minModified = none
	}
	w.down(0)
	w.updateMinHeap()
}

// fill replaces entry k, whose timer has ended, with the last entry.
func (w *timers) fill(k int) {
	last := len(w.heap) - 1
	w.heap[k] = w.heap[last]
	w.heap = w.heap[:last]
	if k < last {
		w.settle(last, k)
	}
}

func (w *timers) updateMinHeap() {
	w.minHeap = none
	if len(w.heap) > 0 {
		w.minHeap = w.heap[0].key
	}
}

// unlock stores the length of the heap, as the runtime does when it releases the lock of the heap.
func (w *timers) unlock() { w.length = len(w.heap) }

// crowded reports whether the next check removes all zombies. It compares their number with the length of the heap
// at the last unlock.
func (w *timers) crowded() bool { return w.zombies > w.length/zombieFraction }

// wakeTime returns the first tick at which a timer may be due, or none if the heap is empty.
func (w *timers) wakeTime() wheel.Tick {
	if w.minHeap == none || w.minModified != none && w.minModified < w.minHeap {
		return w.minModified
	}
	return w.minHeap
}

// NextWork returns the next tick at which a check does something, or 0 if the heap is empty.
func (w *timers) NextWork() int64 {
	at := w.wakeTime()
	switch {
	case w.crowded():
		return w.Reached + 1
	case at == none:
		return 0
	}
	return max(at, w.Reached+1)
}

// Next returns the next tick at which a check does something. It returns false if the heap is empty.
func (w *timers) Next() (wheel.Tick, bool) {
	k := w.NextWork()
	return k, k > 0
}

// Advance checks the heap at every tick up to the target tick and appends an Expiry to fired for each run that fires;
// see [wheel.Wheel].
func (w *timers) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// Resume checks the heap once, at the tick at which a stall of the driver ended; see [port.TickCounter].
func (w *timers) Resume(to wheel.Tick, fired []wheel.Expiry) ([]wheel.Expiry, wheel.Status) {
	switch to = min(to, wheel.TickMax); {
	case w.Stopped():
		return fired, w.Status()
	case to < w.Reached:
		return fired, wheel.Done
	}
	w.Reached = to
	return w.ProcessTick(fired), wheel.Done
}

// AdvanceClock sets the clock to tick k. Checks at the ticks that it passes cost nothing.
func (w *timers) AdvanceClock(k wheel.Tick) { w.Reached = k }

// ProcessTick is timers.check in the runtime: it fires the timers that are due at the current tick, appends them to
// fired, and removes all zombies if there are many.
func (w *timers) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	next := w.wakeTime()
	if len(w.heap) == 0 || w.Reached < next && !w.crowded() {
		return fired
	}
	if w.minModified != none && w.minModified <= w.Reached {
		w.adjust()
	}
	for len(w.heap) > 0 && w.Arena.Spend(1) {
		w.Costs.Slots++
		e := &w.heap[0]
		if !e.stale && !e.zombie {
			if e.key > w.Reached {
				break
			}
			fired = w.fire(fired)
		} else {
			w.fixHead()
		}
	}
	if w.crowded() {
		w.adjust()
	}
	w.unlock()
	return fired
}

// adjust removes all zombies and brings all stale keys up to date. If it has found any, it restores the order of the
// heap.
func (w *timers) adjust() {
	w.minModified = none
	changed := false
	for k := 0; k < len(w.heap) && w.Arena.Spend(1); k++ {
		w.Costs.Touched++
		switch e := &w.heap[k]; {
		case e.zombie:
			w.sweep(uint32(k))
			w.fill(k)
			k--
		case e.stale:
			w.rekey(uint32(k))
		default:
			continue
		}
		changed = true
	}
	if changed && len(w.heap) > 1 {
		for k := (len(w.heap) - 2) / arity; k >= 0 && w.Arena.Spend(1); k-- {
			w.down(k)
		}
	}
	w.updateMinHeap()
}

// fire fires the timer of the first entry and appends the run to fired. A timer that repeats stays in the heap, and is
// due next at the first multiple of its interval after the current tick; another is removed.
func (w *timers) fire(fired []wheel.Expiry) []wheel.Expiry {
	e := &w.heap[0]
	i, n := e.id, w.Arena.At(e.id)
	w.Costs.Touched++
	w.Counts.Expired++
	if w.Log != nil {
		w.EmitExpire(n, 0, 0)
	}
	fired = append(fired, wheel.Expiry{Due: n.Due, Key: n.Key, Run: w.Arena.Run(n)})
	if n.Repeat != 0 {
		every := w.Arena.Repeats.Items[n.Repeat].Every
		n.Due = e.when + (w.Reached-e.when)/every*every // Repeat adds an interval
	}
	touched := w.Costs.Touched
	w.firing = true
	fired = w.Repeat(w, i, n, fired)
	w.firing = false
	w.Costs.Touched = touched // a firing counts once, whether or not the timer repeats
	if n.State == core.StateFree {
		w.deleteMin()
	}
	w.unlock()
	return fired
}

// up moves entry k towards the root until its key is not before that of its parent.
func (w *timers) up(k int) {
	for k > 0 && w.Arena.Spend(1) {
		parent := (k - 1) / arity
		w.Costs.Compared++
		if w.heap[k].key >= w.heap[parent].key {
			return
		}
		w.swap(k, parent)
		k = parent
	}
}

// down moves entry k away from the root until no key of its children is before its own.
func (w *timers) down(k int) {
	for w.Arena.Spend(1) {
		least := k
		for c := k*arity + 1; c <= k*arity+arity && c < len(w.heap); c++ {
			w.Costs.Compared++
			if w.heap[c].key < w.heap[least].key {
				least = c
			}
		}
		if least == k {
			return
		}
		w.swap(k, least)
		k = least
	}
}

// swap exchanges the entries at the indices from and to. It counts one move and emits one move event, for the timer
// that was at index from.
func (w *timers) swap(from, to int) {
	w.heap[from], w.heap[to] = w.heap[to], w.heap[from]
	w.Arena.At(w.heap[from].id).Pos = uint32(from)
	w.settle(from, to)
}

// settle completes the move of an entry from index from to index to.
func (w *timers) settle(from, to int) {
	n := w.Arena.At(w.heap[to].id)
	n.Pos = uint32(to)
	w.Costs.Moved++
	if w.Log != nil && !w.Skips(wheel.KindMove) {
		w.Emit(wheel.Event{Kind: wheel.KindMove, ID: n.Key, Due: n.Due, FromSlot: uint32(from), ToSlot: uint32(to)})
	}
}

// emitPlace emits a place event for n's timer at index k.
func (w *timers) emitPlace(n *core.Node, k uint32) {
	if w.Log == nil || w.Skips(wheel.KindPlace) {
		return
	}
	e := wheel.Event{Kind: wheel.KindPlace, ID: n.Key, Due: n.Due, Run: w.Arena.Run(n), X: wheel.NoRounds, FromLevel: wheel.NoLevel, ToSlot: k}
	if w.heap[k].stale {
		e.Code, e.X = wheel.CodeStale, w.heap[k].key
	}
	w.Emit(e)
}

// IdlePeak returns 0, 0, because a check that finds nothing to do costs nothing; see [wheel.Observable].
func (w *timers) IdlePeak(wheel.Tick) (int64, wheel.Tick) { return 0, 0 }

// Len returns the number of timers in the heap that are not zombies.
func (w *timers) Len() int { return w.Arena.Live - w.zombies }

// Layout returns the layout of the heap: one level without a fixed number of slots.
func (w *timers) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeHeap, Arity: arity, Levels: []wheel.Level{{Level: 0, Slots: 0, Width: 1}}}
}

// AppendState appends one place per entry to s, in the order of the heap, and sets s.Counts and s.Live.
// Place.Entries contains the timer of the entry, or is nil if limit is 0.
func (w *timers) AppendState(s *wheel.State, limit int) {
	w.AppendLayout(s, w.Layout())
	s.Live = w.Len()
	s.Places = slices.Grow(s.Places, len(w.heap))
	for k := range w.heap {
		p := wheel.Place{Slot: uint32(k), Count: 1}
		if limit != 0 {
			e := w.Arena.Entry(w.heap[k].id, wheel.NoRounds)
			if w.heap[k].stale {
				e.Stale, e.Key = true, w.heap[k].key
			}
			p.Entries = append(s.Room(1), e)
		}
		s.Places = append(s.Places, p)
	}
}

// Clone returns an independent copy of the heap, without its log.
func (w *timers) Clone() wheel.Observable {
	c := *w
	c.Base, c.heap = w.Base.Copy(), slices.Clone(w.heap)
	return &c
}

// Bytes returns the memory used by the arena and the entries, in bytes.
func (w *timers) Bytes() int64 { return w.Arena.Bytes() + int64(cap(w.heap))*entrySize }

// Check verifies the order of the keys, the Pos field of every node, the number of zombies and the two bounds. It also
// verifies that no timer is overdue.
func (w *timers) Check() error {
	c := core.Checker{Arena: &w.Arena, Seen: len(w.heap)}
	zombies := 0
	for k := range w.heap {
		e := &w.heap[k]
		n := w.Arena.At(e.id)
		if n.Pos != uint32(k) || n.State == core.StateFree || e.zombie != (n.State == core.StateMarked) || !e.stale && e.key != e.when {
			c.Fail("index %d holds %+v of timer %d, which says index %d, state %d", k, *e, n.Key, n.Pos, n.State)
		}
		if e.zombie {
			zombies++
		} else if e.when < w.Reached || e.stale && (w.minModified == none || w.minModified > e.when) {
			c.Fail("timer %d fires at %d, the clock is %d, the bound of stale entries %d", n.Key, e.when, w.Reached, w.minModified)
		}
		if parent := (k - 1) / arity; k > 0 && e.key < w.heap[parent].key {
			c.Fail("entry %d has key %d, its parent %d", k, e.key, w.heap[parent].key)
		}
	}
	if zombies != w.zombies || len(w.heap) > 0 && w.minHeap != w.heap[0].key {
		c.Fail("%d zombies, counted %d; the first key is said to be %d", zombies, w.zombies, w.minHeap)
	}
	return c.Done()
}

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *timers) NeverEarly() bool { return true }
