package queue

import (
	"iter"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

// A Queue holds values until their due ticks. Its methods must not be called concurrently.
//
// Once a queue has grown, its methods do not allocate. When it becomes empty, it releases its memory.
type Queue[T any] struct {
	start wheel.Tick // tick 0 of the wheel
	clock wheel.Tick // wheel.Now()
	wheel wheel.Rescheduler
	fired []wheel.Expiry // buffer of fill
	pages []*[pageSize]entry[T]
	used  uint32 // number of entries in pages that have been used
	free  uint32 // first free entry, linked by next; 0 means none
	gen   uint32 // largest generation of a free entry
	gone  uint32 // entries of this generation or a smaller one were in a table that the queue has released
	live  int
}

// Handle refers to an entry of a queue. The zero Handle refers to none.
type Handle struct {
	timer      wheel.Timer // the first timer of the entry: Remove and Reset try it before they look into the table
	index, gen uint32
}

const (
	pageBits = 9
	pageSize = 1 << pageBits

	// firedMax is the largest number of entries that fill takes out of the wheel at once.
	firedMax = 256
)

// entry is a value of the queue. Its index in Queue.pages is the key of its timer.
type entry[T any] struct {
	value      T
	due        wheel.Tick // only if it is in a list
	prev, next uint32     // its neighbours in a list; index and generation of its timer otherwise
	gen        uint32
	listed     bool
}

// Entries that are due are in one of two circular lists. These entries of the table are their heads.
const (
	ready = 0 // comes from the current Advance, or from the next one if that has ended
	late  = 1 // was not due after Now when it was added: comes from the next Advance
)

// New returns an empty queue whose clock is at start, which may be any tick. The clock ends at start +
// [wheel.TickMax]: a later due tick counts as that.
func New[T any](start wheel.Tick) *Queue[T] {
	q := &Queue[T]{start: start, fired: make([]wheel.Expiry, 0, firedMax)}
	q.clear()
	return q
}

// clear gives the queue, which must be empty, a new table and a new wheel.
func (q *Queue[T]) clear() {
	q.wheel, _ = hierarchical.New(hierarchical.Config{Slots: []int{64}, Grow: true, Endless: true, Width: 1, Start: q.clock})
	q.pages, q.free, q.used, q.gone = []*[pageSize]entry[T]{new([pageSize]entry[T])}, 0, 2, q.gen
	q.at(late).prev, q.at(late).next = late, late
}

func (q *Queue[T]) at(i uint32) *entry[T] { return &q.pages[i>>pageBits][i&(pageSize-1)] }

// Now returns the tick that Advance has reached. During an iteration it is the tick in progress.
func (q *Queue[T]) Now() wheel.Tick { return q.start + q.clock }

// Len returns the number of entries.
func (q *Queue[T]) Len() int { return q.live }

// Next returns the earliest tick at which Advance may have work to do, which is not later than the earliest due tick.
// It is earlier if the wheel must move entries to finer slots before. Next returns false if the queue is empty.
func (q *Queue[T]) Next() (wheel.Tick, bool) {
	if q.at(ready).next != ready || q.at(late).next != late {
		return q.Now(), true
	}
	next, ok := q.wheel.Next()
	return q.start + next, ok
}

// Add adds a value with a due tick. If due is not after Now, the value comes from the next Advance. Add returns the
// zero Handle, and adds nothing, if the queue has [wheel.LiveMax] entries.
func (q *Queue[T]) Add(due wheel.Tick, value T) Handle {
	if q.live >= wheel.LiveMax {
		return Handle{}
	}
	i := q.free
	if i == 0 {
		if i = q.used; i>>pageBits == uint32(len(q.pages)) {
			q.pages = append(q.pages, new([pageSize]entry[T]))
		}
		q.used++
		q.at(i).gen = q.gen + 1
	} else {
		q.free = q.at(i).next
	}
	q.live++
	e := q.at(i)
	e.value = value
	return Handle{q.put(i, e, due), i, e.gen}
}

// Remove removes an entry. It returns false if the entry was yielded or removed before.
func (q *Queue[T]) Remove(h Handle) bool {
	if h.gen > q.gone && q.wheel.Cancel(h.timer) {
		q.release(h.index, q.at(h.index))
		return true
	}
	e := q.find(h)
	if e == nil {
		return false
	}
	q.take(e)
	q.release(h.index, e)
	return true
}

// Reset changes the due tick of an entry, as if it was removed and added again, but its handle stays valid. It
// returns false if the entry was yielded or removed before.
func (q *Queue[T]) Reset(h Handle, due wheel.Tick) bool {
	if tick := q.wheelTick(due); tick > q.clock && h.gen > q.gone {
		if _, ok := q.wheel.Reschedule(h.timer, tick); ok {
			return true
		}
	}
	e := q.find(h)
	if e == nil {
		return false
	}
	q.take(e)
	q.put(h.index, e, due)
	return true
}

// Advance moves the clock forward to the given tick, and yields the due tick and the value of every entry that is
// due by then. First come those that were due when they were added, in the order of Add, then the others in the
// order of their due ticks; the order of entries with the same due tick is not defined. An entry is removed right
// before it is yielded. If to is before Now, Now is used instead.
//
// Nothing happens before the iteration begins. If the loop ends early, the clock stops at the tick in progress, and
// the remaining entries come from the next Advance, in the same order.
//
// The loop may call all methods. An entry that it removes is not yielded. An entry that it adds or resets is yielded
// by the same Advance if it is due after Now but not after to; if it is not due after Now, it comes from the next.
func (q *Queue[T]) Advance(to wheel.Tick) iter.Seq2[wheel.Tick, T] {
	return func(yield func(wheel.Tick, T) bool) {
		q.splice()
		for q.fill(to) {
			i := q.at(ready).next
			e := q.at(i)
			due, value := e.due, e.value
			q.unlink(e)
			q.release(i, e)
			if !yield(due, value) {
				return
			}
		}
	}
}

// fill moves the clock forward, to the given tick at most, until the ready list has an entry. It returns false if
// there is none.
func (q *Queue[T]) fill(to wheel.Tick) bool {
	for q.at(ready).next == ready {
		end := max(q.wheelTick(to), q.clock)
		tick, ok := q.wheel.Next()
		if !ok || tick > end {
			tick = end
		}
		fired, status := q.wheel.Advance(tick, q.fired[:0], firedMax)
		q.clock = tick
		for i := range fired {
			q.link(ready, fired[i].Key, q.start+fired[i].Due)
		}
		if len(fired) == 0 && status == wheel.Done && tick == end {
			return false
		}
	}
	return true
}

// wheelTick returns the tick of the wheel for a tick of the queue, but at least -1 and at most TickMax.
func (q *Queue[T]) wheelTick(tick wheel.Tick) wheel.Tick {
	if tick < q.start {
		return -1
	}
	return wheel.Tick(min(uint64(tick)-uint64(q.start), uint64(wheel.TickMax)))
}

// find returns the entry of a handle, or nil if it was yielded or removed before.
func (q *Queue[T]) find(h Handle) *entry[T] {
	if h.gen <= q.gone || h.index >= q.used {
		return nil
	}
	if e := q.at(h.index); e.gen == h.gen {
		return e
	}
	return nil
}

// put puts entry e, which has index i, into the wheel, and returns its timer. If it is due, put adds it to the list of
// late entries instead.
func (q *Queue[T]) put(i uint32, e *entry[T], due wheel.Tick) wheel.Timer {
	tick := q.wheelTick(due)
	if tick <= q.clock {
		q.link(late, i, min(due, q.Now()))
		return wheel.Timer{}
	}
	t, _, _ := q.wheel.Schedule(wheel.Spec{Due: tick, Key: i})
	e.prev, e.next = t.Index(), t.Generation()
	return t
}

// take takes e out of the wheel or its list.
func (q *Queue[T]) take(e *entry[T]) {
	if e.listed {
		q.unlink(e)
	} else {
		q.wheel.Cancel(wheel.NewTimer(e.prev, e.next))
	}
}

// link appends the entry with index i to a list.
func (q *Queue[T]) link(list, i uint32, due wheel.Tick) {
	e, head := q.at(i), q.at(list)
	e.due, e.listed, e.prev, e.next = due, true, head.prev, list
	q.at(head.prev).next = i
	head.prev = i
}

func (q *Queue[T]) unlink(e *entry[T]) {
	q.at(e.prev).next, q.at(e.next).prev = e.next, e.prev
	e.listed = false
}

// splice moves the late entries to the end of the ready ones.
func (q *Queue[T]) splice() {
	from, to := q.at(late), q.at(ready)
	if from.next == late {
		return
	}
	q.at(to.prev).next, q.at(from.next).prev = from.next, to.prev
	q.at(from.prev).next, to.prev = ready, from.prev
	from.prev, from.next = late, late
}

// release frees entry e, which has index i and is neither in the wheel nor in a list. If it was the last one, release
// gives the memory of the queue back.
func (q *Queue[T]) release(i uint32, e *entry[T]) {
	var none T
	e.value = none
	e.gen++
	q.gen = max(q.gen, e.gen)
	e.next, q.free = q.free, i
	if q.live--; q.live == 0 && len(q.pages) > 1 {
		q.clear()
	}
}
