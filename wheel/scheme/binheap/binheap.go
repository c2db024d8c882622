package binheap

import (
	"fmt"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// heap is a min-heap of timers, ordered by due tick, with 2 or 4 children per node.
type heap struct {
	core.Base
	clock wheel.Tick
	arity int
	items []item
	armed uint64 // number of items added so far; copied to item.order, which breaks ties between equal due ticks
}

// item is a timer in heap.items. The Pos field of the timer's node is the index of the item.
type item struct {
	due   wheel.Tick
	order uint64 // sequence number of the item, counting from 1; an item that was added later has a greater number
	id    uint32 // index of the timer's node
}

func (a *item) before(b *item) bool {
	return a.due < b.due || a.due == b.due && a.order < b.order
}

// New returns an empty heap of the given arity, 2 or 4, with its clock at start. It returns a
// *wheel.ParamError if an argument is invalid.
func New(arity int, start wheel.Tick) (wheel.Observable, error) {
	if arity != 2 && arity != 4 {
		return nil, &wheel.ParamError{Name: "arity", Found: fmt.Sprint(arity), Want: "%d or %d", Args: []any{2, 4}}
	}
	if err := core.CheckStart(start); err != nil {
		return nil, err
	}
	w := &heap{clock: start, arity: arity}
	w.Reached = start
	return w, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(int(p["arity"].(int64)), s.Start)
}

// Schedule adds the timer described by s in O(log n) time; see [wheel.Wheel] for the results.
func (w *heap) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleWith(w, &s) }

func (w *heap) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	if n.Due <= w.clock {
		return w.AtOnce(n, w.clock)
	}
	n.Pos = uint32(len(w.items))
	w.armed++
	w.items = append(w.items, item{n.Due, w.armed, i})
	if w.Log != nil {
		w.EmitPlace(wheel.KindPlace, n, wheel.NoLevel, 0, 0, n.Pos, wheel.NoRounds)
	}
	w.up(int(n.Pos))
	return core.Placed
}

// up moves the timer at index k towards the root until its parent comes before it. It reports
// whether the timer has moved.
func (w *heap) up(k int) bool {
	moved := false
	for k > 0 {
		parent := (k - 1) / w.arity
		w.Costs.Compared++
		if !w.items[k].before(&w.items[parent]) {
			break
		}
		w.swap(k, parent)
		k, moved = parent, true
	}
	return moved
}

// down moves the timer at index k away from the root until it comes before its children, swapping
// it with its smallest child each time. It reports whether the timer has moved.
func (w *heap) down(k int) bool {
	moved := false
	for {
		least := k*w.arity + 1
		if least >= len(w.items) {
			return moved
		}
		for c := least + 1; c <= k*w.arity+w.arity && c < len(w.items); c++ {
			w.Costs.Compared++
			if w.items[c].before(&w.items[least]) {
				least = c
			}
		}
		w.Costs.Compared++
		if !w.items[least].before(&w.items[k]) {
			return moved
		}
		w.swap(k, least)
		k, moved = least, true
	}
}

// swap exchanges the timers at the indices from and to of w.items. It counts one move and emits one move
// event, for the timer that was at index from.
func (w *heap) swap(from, to int) {
	w.items[from], w.items[to] = w.items[to], w.items[from]
	w.Arena.At(w.items[from].id).Pos = uint32(from)
	w.settle(from, to)
}

// settle completes the move of an item from index from of w.items to index to: it updates the Pos
// field of the timer's node, counts the move and emits a move event.
func (w *heap) settle(from, to int) {
	n := w.Arena.At(w.items[to].id)
	n.Pos = uint32(to)
	w.Costs.Moved++
	if w.Log != nil && !w.Skips(wheel.KindMove) {
		w.Emit(wheel.Event{Kind: wheel.KindMove, ID: n.Key, Due: n.Due, FromSlot: uint32(from), ToSlot: uint32(to)})
	}
}

// remove removes the timer at index k from the heap and moves the last timer into its place.
func (w *heap) remove(k int) {
	last := len(w.items) - 1
	if k == last {
		w.items = w.items[:last]
		return
	}
	w.items[k] = w.items[last]
	w.items = w.items[:last]
	w.settle(last, k)
	if !w.down(k) {
		w.up(k)
	}
}

// Cancel removes timer t in O(log n) time. It returns false if t is not scheduled.
func (w *heap) Cancel(t wheel.Timer) bool {
	n := w.Arena.Find(t)
	if n == nil {
		return false
	}
	w.CountCancel(n, n.Pos)
	w.remove(int(n.Pos))
	w.Arena.Release(t.Index(), n)
	return true
}

// NextWork returns the due tick of the timer at the root, or 0 if the heap is empty.
func (w *heap) NextWork() int64 {
	if len(w.items) == 0 {
		return 0
	}
	return w.items[0].due
}

// Next returns the due tick of the timer at the root. It returns false if the heap is empty.
func (w *heap) Next() (wheel.Tick, bool) { return w.NextWork(), len(w.items) > 0 }

// Advance fires the timers that are due by the target tick; see [wheel.Wheel] for fired and budget.
func (w *heap) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.Drive(w, 1, to, fired, budget)
}

// ProcessTick fires the timers that are due at the current tick and appends them to fired.
func (w *heap) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	for w.NextWork() == w.clock && w.Arena.Spend(1) {
		fired = w.fire(fired)
	}
	return fired
}

// fire fires the timer at the root and removes it from the heap. It emits the expire event, then
// the move events of the removal, and schedules the next run if the timer repeats. It appends the
// runs that fire to fired and returns the extended slice.
func (w *heap) fire(fired []wheel.Expiry) []wheel.Expiry {
	i := w.items[0].id
	n := w.Arena.At(i)
	w.Costs.Touched++
	w.Counts.Expired++
	if w.Log != nil {
		w.EmitExpire(n, 0, 0)
	}
	fired = append(fired, wheel.Expiry{Due: n.Due, Key: n.Key, Run: w.Arena.Run(n)})
	w.remove(0)
	return w.Repeat(w, i, n, fired)
}

// AdvanceClock moves the clock to tick k, and counts the root as examined once per tick.
func (w *heap) AdvanceClock(k wheel.Tick) {
	w.Costs.Slots += k - w.clock
	w.clock = k
}

// IdlePeak returns the cost of a tick at which no timer fires, and the tick after Now. The cost is 1, for
// examining the root. IdlePeak returns 0, 0 if the target tick is not after Now; see [wheel.Wheel].
func (w *heap) IdlePeak(to wheel.Tick) (int64, wheel.Tick) { return core.RingPeak(w.clock, 1, to) }

// Layout returns the layout of the heap: one level without a fixed number of slots.
func (w *heap) Layout() wheel.Layout {
	return wheel.Layout{Shape: wheel.ShapeHeap, Arity: w.arity, Levels: []wheel.Level{{Level: 0, Slots: 0, Width: 1}}}
}

// AppendState appends one place per timer to s, in the order of w.items, and sets s.Counts and s.Live.
// Place.Entries contains the entry of the timer, or is nil if limit is 0.
func (w *heap) AppendState(s *wheel.State, limit int) {
	w.AppendLayout(s, w.Layout())
	listed := len(w.items)
	if limit == 0 {
		listed = 0
	}
	entries := make([]wheel.Entry, listed)
	s.Places = slices.Grow(s.Places, len(w.items))
	for k := range w.items {
		p := wheel.Place{Slot: uint32(k), Count: 1}
		if k < listed {
			entries[k] = w.Arena.Entry(w.items[k].id, wheel.NoRounds)
			p.Entries = entries[k : k+1 : k+1]
		}
		s.Places = append(s.Places, p)
	}
}

// Clone returns an independent copy of the heap, without its log.
func (w *heap) Clone() wheel.Observable {
	c := *w
	c.Base, c.items = w.Base.Copy(), slices.Clone(w.items)
	return &c
}

// Bytes returns the memory used by the arena and the items, in bytes.
func (w *heap) Bytes() int64 { return w.Arena.Bytes() + int64(cap(w.items))*24 }

// Check verifies the heap order and the Pos field of every node. It also verifies that no timer is
// overdue.
func (w *heap) Check() error {
	c := core.Checker{Arena: &w.Arena, Seen: len(w.items)}
	for k := range w.items {
		it := &w.items[k]
		n := w.Arena.At(it.id)
		if n.Pos != uint32(k) || n.Due != it.due || n.State == core.StateFree {
			c.Fail("index %d holds timer %d, which says index %d, due %d", k, n.Key, n.Pos, n.Due)
		}
		if it.due <= w.clock {
			c.Fail("timer %d was due at %d, the clock is %d", n.Key, it.due, w.clock)
		}
		if k > 0 && it.before(&w.items[(k-1)/w.arity]) {
			c.Fail("timer %d at index %d is due before its parent", n.Key, k)
		}
	}
	return c.Done()
}

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *heap) NeverEarly() bool { return true }
