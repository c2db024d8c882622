package sim

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
)

const (
	// MeetingsMax bounds the timers of a contest that are told one by one.
	MeetingsMax = 200
	// openMeetingsMax bounds the timers that are kept because lanes did not treat
	// them alike so far; past it they are no longer counted.
	openMeetingsMax = 1 << 17
)

// End is what became of one run of a timer in one lane.
type End struct {
	Kind wheel.Kind // expire, reject or cancel; none: nothing by the end
	Tick int64
	Due  int64 // in its own side, relative to start; filled in of what is told
	Gone bool  // the side has no such timer
}

// Meeting is one run of a timer that the lanes held against each other did not
// treat alike: not the same thing at the same tick.
type Meeting struct {
	Group int    // of the contest
	Timer string // its name
	ID    uint32 // in the first side
	Run   uint32 // 1 for the first
	Due   int64  // relative to start, in the first side that has it
	Tick  int64  // the first at which they differ
	Ends  []End  // by lane of the group
}

// matcher holds lanes against each other, tick by tick.
type matcher struct {
	group int
	lanes int

	open  map[runKey]*Meeting // told by some of them, not by all
	fresh []*Meeting          // begun in this tick
	full  []runKey            // told by the last of them in this tick

	first     *Meeting
	shown     []*Meeting
	differing int64 // runs that they did not treat alike
	more      bool  // and more, which are not counted
}

// runKey names one run of a timer.
type runKey struct{ id, run uint32 }

func newMatcher(group, lanes int) *matcher {
	return &matcher{group: group, lanes: lanes, open: map[runKey]*Meeting{}}
}

// tick takes what each of the lanes told at a tick. The lists are sorted by it.
func (m *matcher) tick(t int64, told [][]outcome) {
	if allAlike(told) {
		return
	}
	m.fresh, m.full = m.fresh[:0], m.full[:0]
	for lane, list := range told {
		for _, o := range list {
			m.note(t, lane, o)
		}
	}
	for _, key := range m.full {
		delete(m.open, key)
	}
	for _, f := range m.fresh {
		if !f.alike() {
			m.count(f)
		}
	}
}

// note puts down what became of a timer in a lane.
func (m *matcher) note(t int64, lane int, o outcome) {
	key := runKey{o.id, o.run}
	at := m.open[key]
	if at == nil {
		if len(m.open) >= openMeetingsMax {
			m.more = true
			return
		}
		at = &Meeting{Group: m.group, ID: o.id, Run: o.run, Tick: t, Ends: make([]End, m.lanes)}
		m.open[key] = at
		m.fresh = append(m.fresh, at)
	}
	if at.Ends[lane].Kind == wheel.KindNone {
		at.Ends[lane] = End{Kind: o.kind, Tick: t}
	}
	if !slices.ContainsFunc(at.Ends, func(e End) bool { return e.Kind == wheel.KindNone }) {
		m.full = append(m.full, key)
	}
}

// alike says whether all lanes did the same to the timer at the same tick.
func (at *Meeting) alike() bool {
	return !slices.ContainsFunc(at.Ends, func(e End) bool { return e != at.Ends[0] })
}

func (m *matcher) count(at *Meeting) {
	m.differing++
	if m.first == nil {
		m.first = at
	}
	if len(m.shown) < MeetingsMax {
		m.shown = append(m.shown, at)
	}
}
