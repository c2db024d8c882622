package own

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Op is an operation of a case.
type Op struct {
	Do  string `json:"do"` // "schedule", "cancel" or "advance"
	Key int64  `json:"key,omitempty"`
	Due int64  `json:"due,omitempty"`
	To  int64  `json:"to,omitempty"`
}

// Case is a sequence of operations on a new wheel. An operation that the interface forbids, such as an advance into
// the past, is left out.
type Case struct {
	Start  int64 `json:"start,omitempty"`
	Ops    []Op  `json:"ops"`
	Budget int64 `json:"cost,omitempty"` // units of work that the wheel may count; 0: any number
}

// call returns operation i as it is written in a sentence.
func (c *Case) call(i int) string {
	if i < 0 {
		return fmt.Sprintf("create(%d)", c.Start)
	}
	return c.Ops[i].String()
}

// String returns the operation as a call, such as "advance(9)".
func (o *Op) String() string {
	switch o.Do {
	case "schedule":
		return fmt.Sprintf("schedule(%d, %d)", o.Key, o.Due)
	case "cancel":
		return fmt.Sprintf("cancel(%d)", o.Key)
	}
	return fmt.Sprintf("advance(%d)", o.To)
}

// maker builds a case.
type maker struct {
	c   Case
	now int64
}

func at(start int64) *maker { return &maker{Case{Start: start}, start} }

func (m *maker) schedule(key, delay int64) *maker {
	m.c.Ops = append(m.c.Ops, Op{Do: "schedule", Key: key, Due: m.now + delay})
	return m
}

func (m *maker) cancel(key int64) *maker {
	m.c.Ops = append(m.c.Ops, Op{Do: "cancel", Key: key})
	return m
}

// jump advances by n ticks in one call.
func (m *maker) jump(n int64) *maker {
	m.now += n
	m.c.Ops = append(m.c.Ops, Op{Do: "advance", To: m.now})
	return m
}

// walk advances by n ticks, one after the other.
func (m *maker) walk(n int64) *maker {
	for range n {
		m.jump(1)
	}
	return m
}

// group is a set of cases about one subject.
type group struct {
	name  string
	cases func(o Options) []Case
}

// groups are the hand-made cases, in the order in which they are tried.
var groups = []group{
	{"boundaries", boundaries},
	{"equal due ticks", equalDues},
	{"cancel", cancels},
	{"reset", resets},
	{"keys used again", keysAgain},
	{"jumps", jumps},
}

// delays returns the delays around the boundaries of slots, levels and revolutions that the wheel must accept.
func (o Options) delays() []int64 {
	s := int64(o.Slots)
	var list []int64
	for width, level := int64(1), 0; level <= o.Levels && width <= spanMax; width, level = width*s, level+1 {
		list = append(list, width-1, width, width+1, 2*width-1, 2*width, 2*width+1)
	}
	list = append(list, o.Range)
	slices.Sort(list)
	longest := o.longest()
	return slices.DeleteFunc(slices.Compact(list), func(d int64) bool { return d < 1 || d > longest })
}

// longest returns the longest delay that is tried.
func (o Options) longest() int64 {
	n := min(2*o.span()+1, spanMax)
	if o.Range > 0 {
		n = min(n, o.Range)
	}
	return n
}

// starts returns ticks at which the clock begins.
func (o Options) starts() []int64 {
	s := int64(o.Slots)
	return []int64{0, 1, s - 1, s, s*s - 1, s*s + 3}
}

// walkMax is the number of ticks that a hand-made case advances one after the other.
const walkMax = 150

func boundaries(o Options) (cases []Case) {
	for _, start := range o.starts() {
		for _, d := range o.delays() {
			cases = append(cases, at(start).schedule(1, d).walk(min(d, walkMax)).jump(d+2).c, at(start).schedule(1, d).jump(d).jump(1).c)
		}
	}
	return cases
}

// equalDues schedules timers with one due tick from different distances.
func equalDues(o Options) (cases []Case) {
	for _, d := range o.delays() {
		if d < 3 {
			continue
		}
		m := at(1).schedule(1, d).schedule(2, d).walk(d/2).schedule(3, d-d/2).cancel(2)
		cases = append(cases, m.jump(d-d/2-1).schedule(4, 1).jump(1).jump(2).c)
	}
	return cases
}

// cancels cancels a timer in every state, and each of the timers of one slot.
func cancels(o Options) (cases []Case) {
	for _, d := range o.delays() {
		cases = append(cases,
			at(0).schedule(1, d).cancel(1).jump(d+1).cancel(1).c,
			at(0).schedule(1, d).jump(d).cancel(1).c,
			at(0).schedule(1, d).schedule(2, d).walk(min(d-1, walkMax)).cancel(1).jump(d+1).c)
		for key := range int64(3) {
			cases = append(cases, at(0).schedule(0, d).schedule(1, d).schedule(2, d).cancel(key).jump(d+1).cancel(key).c)
		}
	}
	return append(cases, at(0).cancel(7).jump(1).cancel(7).c)
}

// resets moves a pending timer: nearer, farther, and into its own slot.
func resets(o Options) (cases []Case) {
	list := o.delays()
	for i, d := range list {
		for _, other := range []int64{d, list[0], list[len(list)-1-i]} {
			cases = append(cases, at(3).schedule(1, d).schedule(2, d).cancel(1).schedule(1, other).walk(min(d, walkMax)).jump(d+other).c)
		}
	}
	return cases
}

// keysAgain uses the key of a timer that has fired or was cancelled.
func keysAgain(o Options) (cases []Case) {
	for _, d := range o.delays() {
		cases = append(cases,
			at(0).schedule(1, d).jump(d).schedule(1, d).jump(d).jump(d).c,
			at(0).schedule(1, d).cancel(1).schedule(1, 1).jump(1).schedule(1, d).jump(d).jump(d).c)
	}
	return cases
}

// jumps advances over many timers at once: they fire in the order of their due ticks.
func jumps(o Options) (cases []Case) {
	list := o.delays()
	for _, start := range o.starts() {
		m := at(start)
		for i := range list {
			m.schedule(int64(i), list[len(list)-1-i])
		}
		whole := m.c
		cases = append(cases, Case{Start: start, Ops: append(slices.Clone(whole.Ops), Op{Do: "advance", To: start + o.longest() + 1})})
		for _, d := range list {
			m.jump(d)
		}
		cases = append(cases, m.jump(o.longest()).c)
	}
	return cases
}

// randomOps is the number of operations of a random workload.
const randomOps = 200

// random returns the workload of a seed: timers near and far, at boundaries and with equal due ticks, cancels in every
// state, resets, and a clock that moves by single ticks, by short and by long jumps.
func random(o Options, seed uint64) Case {
	r := rand.New(rand.NewPCG(seed, 0x6f776e))
	m := at(o.starts()[r.IntN(len(o.starts()))])
	near, longest := o.delays(), o.longest()
	delay := func() int64 {
		switch r.IntN(4) {
		case 0:
			return min(1+r.Int64N(int64(o.Slots)), longest)
		case 1:
			return near[r.IntN(len(near))]
		case 2:
			return 1 + r.Int64N(longest)
		}
		if o.Range > 0 && r.IntN(8) == 0 {
			return o.Range + 1 + r.Int64N(longest) // it may be rejected
		}
		return 1 + r.Int64N(min(longest, 4*int64(o.Slots)))
	}
	const keys = 24
	for len(m.c.Ops) < randomOps {
		key := r.Int64N(keys)
		switch r.IntN(10) {
		case 0, 1, 2, 3:
			m.schedule(key, delay())
		case 4:
			m.cancel(key)
		case 5:
			m.cancel(key).schedule(key, delay())
		case 6, 7, 8:
			m.walk(1 + r.Int64N(4))
		default:
			m.jump(delay())
		}
	}
	m.jump(2*longest + 1)
	return m.c
}
