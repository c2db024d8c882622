package advise

import (
	"unsafe"

	"github.com/wheelscope/wheelscope/wheel"
)

// fifoDelaysMax is the maximum number of queues of a fifo.
const fifoDelaysMax = 16

// fifo is a set of queues, one for each delay. Timers of one delay are due in the order in which they are scheduled, so
// Schedule appends to a queue, and only the heads are compared. It implements wheel.Wheel, but rejects a timer with
// ErrCapacity if there are more than fifoDelaysMax delays.
type fifo struct {
	queues []queue
	nodes  []node // nodes[0] is not used
	free   uint32 // first node of the list of free nodes, which are linked by next
	live   int
	now    wheel.Tick
	cost   wheel.Cost
}

// queue is a list of timers with one delay, ordered by due tick.
type queue struct {
	delay      wheel.Tick
	head, tail uint32
	next       wheel.Tick // due tick of the head
}

type node struct {
	due, every wheel.Tick
	key, gen   uint32
	prev, next uint32
	times      int32
	run        uint32
	queue      int32 // −1 if the node is free
}

func newFIFO() *fifo { return &fifo{nodes: make([]node, 1)} }

// Schedule adds a timer to the queue of its delay, Due − Now.
func (f *fifo) Schedule(s wheel.Spec) (wheel.Timer, int, error) {
	return f.schedule(s, max(s.Due-f.now, 0))
}

// schedule is like Schedule for a timer with the given delay, part of which may be over.
func (f *fifo) schedule(s wheel.Spec, delay wheel.Tick) (wheel.Timer, int, error) {
	if s.Key == 0 {
		return wheel.Timer{}, 0, wheel.ErrKey
	}
	if s.Due <= f.now {
		if s.Every > 0 {
			return wheel.Timer{}, 0, wheel.ErrPast
		}
		return wheel.Timer{}, 1, nil
	}
	q := f.queueOf(delay)
	if q < 0 {
		return wheel.Timer{}, 0, wheel.ErrCapacity
	}
	i := f.free
	if i == 0 {
		i = uint32(len(f.nodes))
		f.nodes = append(f.nodes, node{gen: 1})
	} else {
		f.free = f.nodes[i].next
	}
	n := &f.nodes[i]
	n.due, n.every, n.key, n.times, n.run = s.Due, max(s.Every, 0), s.Key, s.Times, 1
	if n.times == 0 || n.every == 0 {
		n.times = 1
	}
	f.live++
	f.push(q, i)
	return wheel.NewTimer(i, n.gen), 0, nil
}

// queueOf returns the index of the queue of a delay, or −1 if there are too many.
func (f *fifo) queueOf(delay wheel.Tick) int32 {
	for i := range f.queues {
		if f.queues[i].delay == delay {
			return int32(i)
		}
	}
	if len(f.queues) == fifoDelaysMax {
		return -1
	}
	f.queues = append(f.queues, queue{delay: delay})
	return int32(len(f.queues) - 1)
}

// push puts node i at the tail of queue q or, if it is due before the tail, which happens only after a clock that
// jumps, in its place.
func (f *fifo) push(q int32, i uint32) {
	f.cost.Touched++
	l, n := &f.queues[q], &f.nodes[i]
	after := l.tail
	for after != 0 && f.nodes[after].due > n.due {
		f.cost.Compared++
		after = f.nodes[after].prev
	}
	n.queue, n.prev = q, after
	if after == 0 {
		n.next, l.head, l.next = l.head, i, n.due
	} else {
		n.next = f.nodes[after].next
		f.nodes[after].next = i
	}
	if n.next == 0 {
		l.tail = i
	} else {
		f.nodes[n.next].prev = i
	}
}

// unlink removes node i from its queue.
func (f *fifo) unlink(i uint32) {
	f.cost.Touched++
	n := &f.nodes[i]
	l := &f.queues[n.queue]
	if n.prev == 0 {
		l.head = n.next
		if n.next != 0 {
			l.next = f.nodes[n.next].due
		}
	} else {
		f.nodes[n.prev].next = n.next
	}
	if n.next == 0 {
		l.tail = n.prev
	} else {
		f.nodes[n.next].prev = n.prev
	}
}

func (f *fifo) release(i uint32) {
	n := &f.nodes[i]
	n.gen++
	n.queue, n.next = -1, f.free
	f.free = i
	f.live--
}

func (f *fifo) Cancel(t wheel.Timer) bool {
	if !f.Armed(t) {
		return false
	}
	f.unlink(t.Index())
	f.release(t.Index())
	return true
}

func (f *fifo) Armed(t wheel.Timer) bool {
	i := t.Index()
	return i != 0 && int(i) < len(f.nodes) && f.nodes[i].queue >= 0 && f.nodes[i].gen == t.Generation()
}

// first returns the index of the queue whose head is due first, or −1.
func (f *fifo) first() int {
	best := -1
	for i := range f.queues {
		if q := &f.queues[i]; q.head != 0 && (best < 0 || q.next < f.queues[best].next) {
			best = i
		}
	}
	return best
}

func (f *fifo) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	for done := 0; ; done++ {
		f.cost.Slots += int64(len(f.queues))
		q := f.first()
		if q < 0 || f.queues[q].next > to {
			break
		}
		if budget > 0 && done >= budget {
			return fired, wheel.Budget
		}
		i := f.queues[q].head
		n := &f.nodes[i]
		f.now = max(f.now, n.due)
		fired = append(fired, wheel.Expiry{Due: n.due, Key: n.key, Run: n.run})
		f.unlink(i)
		if n.times == 1 {
			f.release(i)
			continue
		}
		n.due, n.run, n.times = n.due+n.every, n.run+1, max(n.times-1, -1)
		next := f.queueOf(n.every)
		if next < 0 { // its due ticks are still found, by comparing
			next = n.queue
		}
		f.push(next, i)
	}
	f.now = max(f.now, to)
	return fired, wheel.Done
}

func (f *fifo) Next() (wheel.Tick, bool) {
	q := f.first()
	if q < 0 {
		return 0, false
	}
	return f.queues[q].next, true
}

func (f *fifo) Now() wheel.Tick  { return f.now }
func (f *fifo) Len() int         { return f.live }
func (f *fifo) Cost() wheel.Cost { return f.cost }

// Bytes returns the memory of the timers and queues, in bytes.
func (f *fifo) Bytes() int64 {
	return int64(cap(f.nodes))*int64(unsafe.Sizeof(node{})) + int64(cap(f.queues))*int64(unsafe.Sizeof(queue{}))
}
