package lane

import (
	"cmp"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// task is a timer, whose place is given by level and slot. A task that has ended is in the free
// list.
type task struct {
	gen  uint32
	used bool

	id    uint32 // Key of the task's wheel.Spec
	key   string // key of the task in Redis
	due   wheel.Tick
	every wheel.Tick
	left  int32 // number of runs after the pending one; −1 means no limit
	run   uint32

	member string // member of a sorted set in Redis that represents the task
	score  int64  // score of member in its sorted set
	second int64  // only for the rule published: second at which the task is due, by the callers' clock
	at     int64  // only for the rule corrected: time at which the lease lapses or the task is retried, in ns
	tries  int    // only for the rule corrected: number of attempts so far

	level    int8
	slot     uint32
	marked   bool // whether the task was cancelled but is still in place
	replaced bool // whether the task was marked because a new task replaces it
	passed   bool // only for the rule published: whether no scan can find the task any more
	lost     bool // whether the task was reported as lost
}

// place is a non-empty slot with the indexes of its tasks, in the order that [Lane.put] describes.
type place struct {
	level int8
	slot  uint32
	tasks []uint32
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.level, q.level), cmp.Compare(p.slot, q.slot))
}

// nextIndex returns the index that the next task will have.
func (l *Lane) nextIndex() uint32 {
	if l.free != 0 {
		return l.free
	}
	return uint32(max(1, len(l.tasks)))
}

// alloc creates a task for s, whose key in Redis is the given name, and returns its index in l.tasks.
// The task has no place yet.
func (l *Lane) alloc(name string, s wheel.Spec) uint32 {
	if len(l.tasks) == 0 {
		l.tasks = append(l.tasks, task{})
	}
	i := l.nextIndex()
	if i == l.free {
		l.free = l.tasks[i].slot
	} else {
		l.tasks = append(l.tasks, task{gen: 1})
	}
	t := task{gen: l.tasks[i].gen, used: true, id: s.Key, key: name, due: s.Due, run: 1}
	if s.Every > 0 && s.Times != 0 && s.Times != 1 {
		t.every, t.left = s.Every, s.Times
		if t.left > 0 {
			t.left--
		}
	}
	l.tasks[i] = t
	l.live++
	l.held++
	return i
}

// release frees task i, which has no place.
func (l *Lane) release(i uint32) {
	t := &l.tasks[i]
	if !t.marked {
		l.live--
	}
	l.held--
	*t = task{gen: t.gen + 1, slot: l.free}
	l.free = i
}

// find returns the index of the task with handle h, and whether it is armed.
func (l *Lane) find(h wheel.Timer) (uint32, bool) {
	i := h.Index()
	if i == 0 || int(i) >= len(l.tasks) {
		return 0, false
	}
	t := &l.tasks[i]
	return i, t.used && t.gen == h.Generation() && !t.marked
}

// at returns the index of a place in l.places and true, or its insertion point and false.
func (l *Lane) at(level int8, slot uint32) (int, bool) {
	return slices.BinarySearchFunc(l.places, place{level: level, slot: slot}, place.compare)
}

// tasksAt returns the indexes of the tasks at a place, in the order of place.tasks.
func (l *Lane) tasksAt(level int8, slot uint32) []uint32 {
	if k, ok := l.at(level, slot); ok {
		return l.places[k].tasks
	}
	return nil
}

// put inserts task i into a place and returns the task that follows it there, or 0 if it is the last. Slots of
// slices are in the order of a sorted set, by score, then by member; other places are in the order of insertion.
func (l *Lane) put(i uint32, level int8, slot uint32) uint32 {
	k, ok := l.at(level, slot)
	if !ok {
		l.places = slices.Insert(l.places, k, place{level: level, slot: slot})
	}
	t, p := &l.tasks[i], &l.places[k]
	t.level, t.slot = level, slot
	at := len(p.tasks)
	if level == levelSlices {
		at, _ = slices.BinarySearchFunc(p.tasks, i, l.compare)
	}
	before := uint32(0)
	if at < len(p.tasks) {
		before = p.tasks[at]
	}
	p.tasks = slices.Insert(p.tasks, at, i)
	return before
}

// compare orders tasks a and b by score, then by member, as a sorted set does.
func (l *Lane) compare(a, b uint32) int {
	x, y := &l.tasks[a], &l.tasks[b]
	return cmp.Or(cmp.Compare(x.score, y.score), cmp.Compare(x.member, y.member))
}

// removeFromPlace removes task i from its place.
func (l *Lane) removeFromPlace(i uint32) {
	t := &l.tasks[i]
	k, _ := l.at(t.level, t.slot)
	p := &l.places[k]
	at := slices.Index(p.tasks, i)
	if p.tasks = slices.Delete(p.tasks, at, at+1); len(p.tasks) == 0 {
		l.places = slices.Delete(l.places, k, k+1)
	}
}
