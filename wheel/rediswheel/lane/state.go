package lane

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

// AppendState implements [wheel.Wheel]. It appends the levels and the places with tasks to s, and sets s.Counts and
// s.Live. Each place includes its first limit tasks, or all if limit is wheel.AllEntries.
func (l *Lane) AppendState(s *wheel.State, limit int) {
	s.Levels = append(s.Levels, l.Layout().Levels...)
	for _, p := range l.places {
		to := wheel.Place{Level: p.level, Slot: p.slot, Count: len(p.tasks)}
		for k := 0; k < len(p.tasks) && k != limit; k++ {
			to.Entries = append(to.Entries, l.entry(p.tasks[k]))
		}
		s.Places = append(s.Places, to)
	}
	s.Counts, s.Live = l.counts, l.live
}

func (l *Lane) entry(i uint32) wheel.Entry {
	t := &l.tasks[i]
	return wheel.Entry{ID: t.id, Run: t.run, Due: t.due, Rounds: wheel.NoRounds, Marked: t.marked, Handle: wheel.NewTimer(i, t.gen)}
}

// Clone returns an independent copy of the lane, with the keys of the server but neither the log nor the hook.
func (l *Lane) Clone() wheel.Observable {
	c := *l
	c.log = nil
	c.tasks = slices.Clone(l.tasks)
	c.places = slices.Clone(l.places)
	for k := range c.places {
		c.places[k].tasks = slices.Clone(c.places[k].tasks)
	}
	c.server = l.server.copy()
	c.rule = l.rule.clone(&c)
	return &c
}

// taskBytes is the approximate number of bytes of memory that a task uses in the lane and in Redis, not
// counting its strings.
const taskBytes = 480

// Bytes returns the approximate number of bytes of memory that the state of the lane and the keys of its
// server use.
func (l *Lane) Bytes() int64 {
	n := l.server.bytes()
	for i := range l.tasks {
		n += taskBytes + int64(len(l.tasks[i].key)+2*len(l.tasks[i].member))
	}
	return n
}
