package sim

import (
	"container/heap"

	"github.com/wheelscope/wheelscope/wheel"
)

// oracle tells what the workload alone asks for: every run fires at its due tick,
// or at once where that has passed, unless it is cancelled before; nothing is
// refused and no driver stalls. It knows no algorithm: lanes are held against it.
type oracle struct {
	ops   []Planned
	until int64
	next  int // operation to come
	waits dueHeap
	armed map[uint32]*armed // by id
}

// armed is a timer that waits for its run, due at a tick relative to start.
type armed struct {
	due  int64
	op   *Planned
	run  uint32
	gone bool // cancelled: what is left of it in the heap fires nothing
}

func newOracle(p *Program) *oracle {
	return &oracle{ops: p.Ops, until: p.Until, armed: map[uint32]*armed{}}
}

// nextTick is the next tick ≤ until at which something is due or operated.
func (o *oracle) nextTick() (int64, bool) {
	t := o.until + 1
	if len(o.waits) > 0 {
		t = min(t, o.waits[0].due)
	}
	if o.next < len(o.ops) {
		t = min(t, o.ops[o.next].At)
	}
	return t, t <= o.until
}

// tick appends what happens at tick t: first what is due, then the operations.
func (o *oracle) tick(t int64, list []outcome) []outcome {
	list = o.fire(t, list)
	for ; o.next < len(o.ops) && o.ops[o.next].At == t; o.next++ {
		op := &o.ops[o.next]
		if a := o.armed[op.Target]; op.Target > 0 && a != nil {
			a.gone = true
			delete(o.armed, op.Target)
			list = append(list, outcome{wheel.KindCancel, op.Target, a.run})
		}
		if op.Kind.Arms() {
			a := &armed{due: op.At + op.Delay, op: op, run: 1}
			o.armed[op.ID] = a
			heap.Push(&o.waits, a)
			list = o.fire(t, list)
		}
	}
	return list
}

// fire takes what is due at t or before.
func (o *oracle) fire(t int64, list []outcome) []outcome {
	for len(o.waits) > 0 && o.waits[0].due <= t {
		a := heap.Pop(&o.waits).(*armed)
		if a.gone {
			continue
		}
		list = append(list, outcome{wheel.KindExpire, a.op.ID, a.run})
		if a.op.Every == 0 || a.op.Times > 0 && int64(a.run) >= int64(a.op.Times) {
			delete(o.armed, a.op.ID)
			continue
		}
		a.due += a.op.Every
		a.run++
		heap.Push(&o.waits, a)
	}
	return list
}

// dueHeap holds timers by due tick; of equals the older first.
type dueHeap []*armed

func (h dueHeap) Len() int { return len(h) }

func (h dueHeap) Less(i, j int) bool {
	if h[i].due != h[j].due {
		return h[i].due < h[j].due
	}
	return h[i].op.ID < h[j].op.ID
}

func (h dueHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push is for container/heap.
func (h *dueHeap) Push(x any) { *h = append(*h, x.(*armed)) }

// Pop is for container/heap.
func (h *dueHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return last
}
