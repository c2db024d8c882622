package wheel

import (
	"fmt"
	"slices"
)

// Heap is Scheme 3 of Varghese and Lauck (1987, section 4.1.1): a heap by due
// tick, equal dues in order of arming. With four children a node it is what the
// Go runtime uses (runtime/time.go).
//
//	reach         any delay
//	start, stop   O(log n)
//	tick          O(1), and O(log n) for each timer that fires
type Heap struct {
	base
	clock Tick
	arity int
	items []item
	armed uint64 // armings so far, the order among equal dues
}

// item is a timer in the heap; its node's pos is its index here.
type item struct {
	due   Tick
	order uint64
	id    uint32
}

func (a *item) before(b *item) bool {
	return a.due < b.due || a.due == b.due && a.order < b.order
}

// NewHeap makes an empty heap of 2 or 4 children a node with its clock at start.
// The error is a *ParamError.
func NewHeap(arity int, start Tick) (*Heap, error) {
	if arity != 2 && arity != 4 {
		return nil, &ParamError{"arity", fmt.Sprint(arity), "2 or 4"}
	}
	if err := checkStart(start); err != nil {
		return nil, err
	}
	w := &Heap{clock: start, arity: arity}
	w.now = start
	return w, nil
}

func buildHeap(p Params, start Tick) (Wheel, error) { return NewHeap(int(p["arity"].(int64)), start) }

// Schedule arms a timer in O(log n).
func (w *Heap) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

func (w *Heap) place(i uint32, n *node) verdict {
	if n.due <= w.clock {
		if w.tooMany(n, w.clock) {
			return badPast
		}
		return due
	}
	n.pos = uint32(len(w.items))
	w.armed++
	w.items = append(w.items, item{n.due, w.armed, i})
	if w.log != nil {
		w.tellPlace(KindPlace, n, NoLevel, 0, 0, n.pos, NoRounds)
	}
	w.up(int(n.pos))
	return placed
}

// up sifts the timer at index k towards the root; false if it stays.
func (w *Heap) up(k int) bool {
	moved := false
	for k > 0 {
		parent := (k - 1) / w.arity
		w.cost.Compared++
		if !w.items[k].before(&w.items[parent]) {
			break
		}
		w.swap(k, parent)
		k, moved = parent, true
	}
	return moved
}

// down sifts the timer at index k away from the root, each time past its
// smallest child; false if it stays.
func (w *Heap) down(k int) bool {
	moved := false
	for {
		least := k*w.arity + 1
		if least >= len(w.items) {
			return moved
		}
		for c := least + 1; c <= k*w.arity+w.arity && c < len(w.items); c++ {
			w.cost.Compared++
			if w.items[c].before(&w.items[least]) {
				least = c
			}
		}
		w.cost.Compared++
		if !w.items[least].before(&w.items[k]) {
			return moved
		}
		w.swap(k, least)
		k, moved = least, true
	}
}

// swap exchanges the timer being sifted, at index `from`, with the one at `to`.
func (w *Heap) swap(from, to int) {
	w.items[from], w.items[to] = w.items[to], w.items[from]
	w.arena.at(w.items[from].id).pos = uint32(from)
	w.settle(from, to)
}

// settle counts and tells that a timer has come to index `to`.
func (w *Heap) settle(from, to int) {
	n := w.arena.at(w.items[to].id)
	n.pos = uint32(to)
	w.cost.Moved++
	if w.log != nil {
		w.tell(Event{Kind: KindMove, ID: n.key, Due: n.due, FromSlot: uint32(from), ToSlot: uint32(to)})
	}
}

// remove closes the gap at index k, whose timer was told to be gone.
func (w *Heap) remove(k int) {
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

// Cancel disarms a timer in O(log n).
func (w *Heap) Cancel(t Timer) bool {
	n := w.arena.find(t)
	if n == nil {
		return false
	}
	w.cost.Touched++
	w.counts.Cancelled++
	if w.log != nil {
		w.tellCancel(n, 0, n.pos)
	}
	w.remove(int(n.pos))
	w.arena.release(t.index, n)
	return true
}

// next is the due tick of the root, or 0.
func (w *Heap) next() int64 {
	if len(w.items) == 0 {
		return 0
	}
	return w.items[0].due
}

// Next is the due tick of the root.
func (w *Heap) Next() (Tick, bool) { return w.next(), len(w.items) > 0 }

// Advance fires the root while it is due.
func (w *Heap) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, 1, to, fired, budget)
}

// step fires the roots that are due now.
func (w *Heap) step(fired []Expiry) []Expiry {
	for w.next() == w.clock && w.arena.spend(1) {
		fired = w.fire(fired)
	}
	return fired
}

// fire takes the root out: the expiry, the moves that close the gap, and the
// next run if it repeats.
func (w *Heap) fire(fired []Expiry) []Expiry {
	i := w.items[0].id
	n := w.arena.at(i)
	w.cost.Touched++
	w.counts.Expired++
	if w.log != nil {
		w.tellExpire(n, 0, 0)
	}
	fired = append(fired, Expiry{n.due, n.key, w.arena.run(n)})
	w.remove(0)
	return w.repeat(w, i, n, fired)
}

// walk moves the clock to k: at each tick the root was examined.
func (w *Heap) walk(k Tick) {
	w.cost.Slots += k - w.clock
	w.clock = k
}

// IdlePeak is a look at the root, at the next tick.
func (w *Heap) IdlePeak(to Tick) (int64, Tick) { return ringPeak(w.clock, 1, to) }

// Layout is one tree.
func (w *Heap) Layout() Layout {
	return Layout{Shape: ShapeHeap, Arity: w.arity, Levels: []Level{{0, 0, 1}}}
}

// AppendState appends each index as a place of one timer.
func (w *Heap) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	listed := len(w.items)
	if most == 0 {
		listed = 0
	}
	entries := make([]Entry, listed)
	s.Places = slices.Grow(s.Places, len(w.items))
	for k := range w.items {
		p := Place{Slot: uint32(k), Count: 1}
		if k < listed {
			entries[k] = w.arena.entry(w.items[k].id, NoRounds)
			p.Entries = entries[k : k+1 : k+1]
		}
		s.Places = append(s.Places, p)
	}
	s.Counts, s.Live = w.counts, w.arena.live
}

// Clone copies the heap.
func (w *Heap) Clone() Wheel { return w.cloneOver(nil) }

func (w *Heap) cloneOver(spent Wheel) Wheel {
	s, ok := spent.(*Heap)
	if !ok {
		s = &Heap{}
	}
	c := *w
	c.log = nil
	c.arena = w.arena.cloneOver(&s.arena)
	c.items = append(s.items[:0], w.items...)
	return &c
}

// Bytes is the memory of the arena and the heap's items.
func (w *Heap) Bytes() int64 { return w.arena.bytes() + int64(cap(w.items))*24 }

// Check verifies the order of every node and its children, and the back pointers.
func (w *Heap) Check() error {
	c := checker{arena: &w.arena, seen: len(w.items)}
	for k := range w.items {
		it := &w.items[k]
		n := w.arena.at(it.id)
		if n.pos != uint32(k) || n.due != it.due || n.state == stateFree {
			c.fail("index %d holds timer %d, which says index %d, due %d", k, n.key, n.pos, n.due)
		}
		if it.due <= w.clock {
			c.fail("timer %d was due at %d, the clock is %d", n.key, it.due, w.clock)
		}
		if k > 0 && it.before(&w.items[(k-1)/w.arity]) {
			c.fail("timer %d at index %d is due before its parent", n.key, k)
		}
	}
	return c.done()
}
