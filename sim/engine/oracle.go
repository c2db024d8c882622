package engine

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// Outcome is how one run of a timer ends: with an expiry, a rejection or a cancel. Two lanes behave alike if
// they have the same outcomes in each tick.
type Outcome struct {
	Kind    wheel.Kind
	ID, Run uint32
}

func (o Outcome) Compare(p Outcome) int {
	return cmp.Or(cmp.Compare(o.Kind, p.Kind), cmp.Compare(o.ID, p.ID), cmp.Compare(o.Run, p.Run))
}

// Oracle computes the outcomes that a workload requires, without using a wheel. Each run of a timer fires at
// its due tick, or immediately if that tick has passed, unless the timer is cancelled first. An Oracle rejects no
// timers and ignores stalls of the driver. The outcomes of lanes are compared with those of an Oracle. It is
// not safe for concurrent use.
type Oracle struct {
	ops   []program.Planned
	until int64
	next  int               // index in ops of the next operation
	waits dueHeap           // pending runs
	armed map[uint32]*armed // timers with a pending run, by ID
}

// armed is a timer with a pending run. due is the due tick of that run, relative to the scenario's start.
type armed struct {
	due  int64
	op   *program.Planned
	run  uint32
	gone bool // whether the timer was cancelled; its entry in the heap is then ignored
}

// NewOracle returns an oracle for the workload of p, before tick 0.
func NewOracle(p *program.Program) *Oracle {
	return &Oracle{ops: p.Ops, until: p.Until, armed: map[uint32]*armed{}}
}

// NextTick returns the next tick in which a run is due or an operation is executed, or false if there is
// none up to Program.Until.
func (o *Oracle) NextTick() (int64, bool) {
	t := o.until + 1
	if len(o.waits) > 0 {
		t = min(t, o.waits[0].due)
	}
	if o.next < len(o.ops) {
		t = min(t, o.ops[o.next].At)
	}
	return t, t <= o.until
}

// Tick appends the outcomes of tick t to list: first the expiries of the due runs, then the outcomes of the
// operations.
func (o *Oracle) Tick(t int64, list []Outcome) []Outcome {
	list = o.fire(t, list)
	for ; o.next < len(o.ops) && o.ops[o.next].At == t; o.next++ {
		op := &o.ops[o.next]
		if a := o.armed[op.Target]; op.Target > 0 && a != nil {
			a.gone = true
			delete(o.armed, op.Target)
			list = append(list, Outcome{wheel.KindCancel, op.Target, a.run})
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

// fire appends to list an expiry for each timer run that is due at or before tick t, and returns the extended list. If
// the timer repeats, fire also adds the timer's next run to the pending runs.
func (o *Oracle) fire(t int64, list []Outcome) []Outcome {
	for len(o.waits) > 0 && o.waits[0].due <= t {
		a := heap.Pop(&o.waits).(*armed)
		if a.gone {
			continue
		}
		list = append(list, Outcome{wheel.KindExpire, a.op.ID, a.run})
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

// dueHeap is a heap of timers ordered by due tick, then by ID.
type dueHeap []*armed

func (h dueHeap) Len() int { return len(h) }

func (h dueHeap) Less(i, j int) bool {
	if h[i].due != h[j].due {
		return h[i].due < h[j].due
	}
	return h[i].op.ID < h[j].op.ID
}

func (h dueHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *dueHeap) Push(x any) { *h = append(*h, x.(*armed)) }

// Pop implements heap.Interface.
func (h *dueHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return last
}

// AllAlike reports whether all lanes have the same outcomes, in any order. outcomes holds one list per
// lane; AllAlike may sort the lists.
func AllAlike(outcomes [][]Outcome) bool {
	for i := range outcomes {
		if len(outcomes[i]) != len(outcomes[0]) {
			return false
		}
	}
	for i := range outcomes {
		slices.SortFunc(outcomes[i], Outcome.Compare)
	}
	for i := 1; i < len(outcomes); i++ {
		if !slices.Equal(outcomes[i], outcomes[0]) {
			return false
		}
	}
	return true
}

// OutcomeOf returns the outcome that r reports if r is an expiry or a rejection. For any other record,
// including a cancel, it returns false.
func OutcomeOf(r *Record) (Outcome, bool) {
	return Outcome{Kind: r.Kind, ID: r.ID, Run: r.Run}, r.Kind == wheel.KindExpire || r.Kind == wheel.KindReject
}
