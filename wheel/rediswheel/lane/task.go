package lane

import (
	"cmp"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// task is a timer of the lane. The fields level and slot are its place. The memory of a task that has ended is in the
// free list.
type task struct {
	gen  uint32 // number that is part of the task's handle; incremented when the task ends, which invalidates old handles
	used bool   // whether the task is in use, that is, not in the free list

	id    uint32 // key of the timer, from wheel.Spec
	key   string // key in Redis
	due   wheel.Tick
	every wheel.Tick
	left  int32 // number of runs after the pending one; −1 means no limit
	run   uint32

	member string // member that represents the task in its slice
	score  int64  // score of member in the slice: due time in Unix ms for type corrected, in Unix seconds for published
	at     int64  // Unix time, in ns, at which the lease lapses or the task is retried; used only by type corrected
	tries  int    // number of attempts so far; used only by type corrected

	level    int8
	slot     uint32 // slot of the task's place; for a task in the free list, the index of the next free task, or 0
	marked   bool   // whether the task was cancelled and is still in its place
	replaced bool   // whether the task was marked because a new task replaced it
	passed   bool   // whether no later scan can pop the task; used only by type published
	lost     bool   // whether findLost has emitted its finding about the current run of the task
}

// place is a slot that contains tasks. The field tasks contains the indexes of these tasks in Lane.tasks, in the order
// that [Lane.put] describes.
type place struct {
	level int8
	slot  uint32
	tasks []uint32
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.level, q.level), cmp.Compare(p.slot, q.slot))
}

// nextIndex returns the index of the task that alloc will create next.
func (l *Lane) nextIndex() uint32 {
	if l.free != 0 {
		return l.free
	}
	return uint32(max(1, len(l.tasks)))
}

// alloc creates a task for the timer described by s and returns the index of the task in l.tasks. name is the key
// of the task in Redis. The task is not in a place yet.
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

// release puts task i into the free list. The task must not be in a place.
func (l *Lane) release(i uint32) {
	t := &l.tasks[i]
	if !t.marked {
		l.live--
	}
	l.held--
	*t = task{gen: t.gen + 1, slot: l.free}
	l.free = i
}

// find returns the index of the task with handle h, and whether the task has neither ended nor been cancelled.
func (l *Lane) find(h wheel.Timer) (uint32, bool) {
	i := h.Index()
	if i == 0 || int(i) >= len(l.tasks) {
		return 0, false
	}
	t := &l.tasks[i]
	return i, t.used && t.gen == h.Generation() && !t.marked
}

// at returns the index in l.places of the place at level and slot, and true. If there is no such place, it
// returns the index at which to insert it, and false.
func (l *Lane) at(level int8, slot uint32) (int, bool) {
	return slices.BinarySearchFunc(l.places, place{level: level, slot: slot}, place.compare)
}

// tasksAt returns the indexes of the tasks at level and slot, in the order of place.tasks.
func (l *Lane) tasksAt(level int8, slot uint32) []uint32 {
	if k, ok := l.at(level, slot); ok {
		return l.places[k].tasks
	}
	return nil
}

// put inserts task i into the place at level and slot. It returns the index of the task that follows task i there,
// or 0 if task i is the last one. Tasks on level 0 are ordered as in a sorted set of Redis: by score, then by
// member. Tasks on level −1 are in order of insertion.
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

// compare compares tasks a and b by score, then by member, as a sorted set of Redis does.
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
