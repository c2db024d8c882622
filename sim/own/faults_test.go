package own

import (
	"cmp"
	"math"
	"slices"
)

// Faults of real timer libraries, each as a small wheel with the same mistake.

// publicFault is a fault that somebody has reported.
type publicFault struct {
	what, where string
	create      New
}

var publicFaults = []publicFault{
	{"the block that the clock is in is not visited: a timer past the end of a block fires late", "Yiling-J/theine-go#64",
		func(start int64, _ Params) Wheel { return &blocks{table: table{now: start}} }},
	{"after an expiry, the next timer that is scheduled hides the earlier ones", "tokio-rs/tokio#1700",
		func(start int64, _ Params) Wheel { return &hiding{table{now: start}, math.MaxInt64} }},
	{"a timer that is reset leaves a stale minimum", "tokio-rs/tokio#849",
		func(start int64, _ Params) Wheel { return &stale{table{now: start}, math.MaxInt64, map[int64]bool{}} }},
	{"a timer scheduled again in its own callback is removed after it", "HDT3213/godis",
		func(start int64, _ Params) Wheel { return &callback{table: table{now: start}} }},
	{"after a removal the iteration yields the key that has moved there", "swap and remove in a slot",
		func(start int64, _ Params) Wheel { return &swap{table{now: start}} }},
	{"a timer beyond the capacity of the wheel fires early", "twitter/rpc-perf#180",
		func(start int64, p Params) Wheel { return &capacity{table{now: start}, int64(p.Slots)} }},
	{"only the slot of the present is polled, not those before it", "camunda/camunda#767",
		func(start int64, p Params) Wheel { return &poll{table{now: start}, int64(p.Slots)} }},
	{"a whole revolution loses a round", "lk668/timewheel",
		func(start int64, p Params) Wheel { return &revolution{table{now: start}, int64(p.Slots)} }},
	{"a timer that has fired is cancelled, and a bystander goes", "antlabs/timer",
		func(start int64, _ Params) Wheel { return &bystander{table{now: start}, map[int64]bool{}} }},
}

// table is a right wheel without a structure.
type table struct {
	now  int64
	list []entry
}

func (t *table) Schedule(key, due int64) bool {
	t.list = append(t.list, entry{key: key, due: due})
	return true
}

func (t *table) Cancel(key int64) bool {
	before := len(t.list)
	t.list = slices.DeleteFunc(t.list, func(e entry) bool { return e.key == key })
	return len(t.list) < before
}

func (t *table) Advance(to int64) []int64 {
	t.now = to
	return t.take(func(e entry) bool { return e.due <= to })
}

// take removes the timers that fire, and returns their keys by due tick.
func (t *table) take(fires func(entry) bool) (keys []int64) {
	slices.SortStableFunc(t.list, func(a, b entry) int { return cmp.Compare(a.due, b.due) })
	t.list = slices.DeleteFunc(t.list, func(e entry) bool {
		if fires(e) {
			keys = append(keys, e.key)
			return true
		}
		return false
	})
	return keys
}

// least returns the earliest due tick.
func (t *table) least() int64 {
	n := int64(math.MaxInt64)
	for _, e := range t.list {
		n = min(n, e.due)
	}
	return n
}

type blocks struct{ table }

func (w *blocks) Advance(to int64) []int64 {
	const width = 4
	w.now = to
	return w.take(func(e entry) bool { return e.due/width < to/width })
}

type hiding struct {
	table
	next int64 // when the queue looks; no more after an expiry
}

func (w *hiding) Schedule(key, due int64) bool {
	w.next = min(w.next, due)
	return w.table.Schedule(key, due)
}

func (w *hiding) Advance(to int64) []int64 {
	w.now = to
	if to < w.next {
		return nil
	}
	w.next = math.MaxInt64
	return w.table.Advance(to)
}

type stale struct {
	table
	next int64
	seen map[int64]bool
}

func (w *stale) Schedule(key, due int64) bool {
	if !w.seen[key] {
		w.next = min(w.next, due)
	}
	w.seen[key] = true
	return w.table.Schedule(key, due)
}

func (w *stale) Advance(to int64) (fired []int64) {
	w.now = to
	if to >= w.next {
		fired = w.table.Advance(to)
		w.next = w.least()
	}
	return fired
}

type callback struct {
	table
	ended []int64 // their entries are removed when the callbacks have returned
}

func (w *callback) Advance(to int64) []int64 {
	for _, key := range w.ended {
		w.Cancel(key)
	}
	w.ended = w.table.Advance(to)
	return slices.Clone(w.ended)
}

type swap struct{ table }

func (w *swap) Advance(to int64) (fired []int64) {
	w.now = to
	for i := 0; i < len(w.list); {
		if w.list[i].due > to {
			i++
			continue
		}
		last := len(w.list) - 1
		w.list[i] = w.list[last]
		fired = append(fired, w.list[i].key)
		w.list = w.list[:last]
	}
	return fired
}

type capacity struct {
	table
	n int64
}

func (w *capacity) Advance(to int64) (fired []int64) {
	for w.now < to {
		w.now++
		fired = append(fired, w.take(func(e entry) bool { return e.due%w.n == w.now%w.n })...)
	}
	return fired
}

type poll struct {
	table
	n int64
}

func (w *poll) Advance(to int64) []int64 {
	w.now = to
	return w.take(func(e entry) bool { return e.due <= to && e.due%w.n == to%w.n })
}

type revolution struct {
	table
	n int64
}

func (w *revolution) Schedule(key, due int64) bool {
	if delay := due - w.now; delay%w.n == 0 {
		due = w.now + delay - w.n + 1
	}
	return w.table.Schedule(key, due)
}

type bystander struct {
	table
	known map[int64]bool
}

func (w *bystander) Schedule(key, due int64) bool {
	w.known[key] = true
	return w.table.Schedule(key, due)
}

func (w *bystander) Cancel(key int64) bool {
	if w.table.Cancel(key) {
		return true
	}
	if w.known[key] && len(w.list) > 0 { // the index of a timer that has ended is 0
		w.list = w.list[1:]
		return true
	}
	return false
}
