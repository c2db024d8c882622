package compare

import (
	"slices"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel"
)

const (
	// DifferencesMax is the maximum number of timer runs with different outcomes that a Comparison
	// lists.
	DifferencesMax = 200
	// openPairsMax is the maximum number of timer runs that a matcher holds in memory because some lanes
	// have no outcome for them yet. While it holds that many, it ignores further runs and their differences.
	openPairsMax = 1 << 17
)

// End is the outcome of one run of a timer in one lane.
type End struct {
	Kind wheel.Kind // KindExpire, KindReject or KindCancel; KindNone if the run has none of these events
	Tick int64
	// Due is the due tick of the run, relative to the start of the scenario. It is that of the lane's own scenario,
	// because the two sides of a comparison may differ in it. Due is set only in Comparison.Differences.
	Due  int64
	Gone bool // whether the lane's scenario does not have the timer; set only in Comparison.Differences
}

// Difference describes one run of a timer for which the compared lanes have different outcomes, or the
// same outcome at different ticks.
type Difference struct {
	Group int    // index in Comparison.Groups of the group compared; -1 if a lane is compared with the oracle
	Timer string // name of the timer
	ID    uint32 // ID of the timer on the first side; if only the second side has it, an ID that the first does not use
	Run   uint32 // number of the timer's run, counting from 1
	Due   int64  // due tick relative to the start of the scenario, on the first side that has the timer
	Tick  int64  // first tick at which the outcomes of the lanes differ
	Ends  []End  // outcome in each lane of the group; if Group is -1, first that of the oracle, then that of the lane
}

// matcher compares the outcomes of a group of lanes, tick by tick.
type matcher struct {
	group int // index in Comparison.Groups of the group compared; -1 if a lane is compared with the oracle
	lanes int // number of lanes compared, counting the oracle as one

	open  map[runKey]*Difference // timer runs with an outcome in some lanes but not yet in all
	fresh []*Difference          // timer runs whose first outcome in any lane occurred in the current tick
	full  []runKey               // keys of the timer runs whose last missing outcome occurred in the current tick

	first     *Difference   // first difference; nil means none so far
	shown     []*Difference // the first DifferencesMax differences
	differing int64         // number of timer runs with different outcomes
	more      bool          // whether differing is only a lower bound, because runs were ignored while open was full
}

// runKey identifies one run of a timer by the timer's ID and the number of the run.
type runKey struct{ id, run uint32 }

func newMatcher(group, lanes int) *matcher {
	return &matcher{group: group, lanes: lanes, open: map[runKey]*Difference{}}
}

// tick records the outcomes at tick t, and counts the timer runs whose outcomes first differ at
// that tick. outcomes has one list per lane; tick may sort the lists in place.
func (m *matcher) tick(t int64, outcomes [][]engine.Outcome) {
	if engine.AllAlike(outcomes) {
		return
	}
	m.fresh, m.full = m.fresh[:0], m.full[:0]
	for lane, list := range outcomes {
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

// note records o, the outcome of a timer run in the given lane at tick t.
func (m *matcher) note(t int64, lane int, o engine.Outcome) {
	key := runKey{o.ID, o.Run}
	at := m.open[key]
	if at == nil {
		if len(m.open) >= openPairsMax {
			m.more = true
			return
		}
		at = &Difference{Group: m.group, ID: o.ID, Run: o.Run, Tick: t, Ends: make([]End, m.lanes)}
		m.open[key] = at
		m.fresh = append(m.fresh, at)
	}
	if at.Ends[lane].Kind == wheel.KindNone {
		at.Ends[lane] = End{Kind: o.Kind, Tick: t}
	}
	if !slices.ContainsFunc(at.Ends, func(e End) bool { return e.Kind == wheel.KindNone }) {
		m.full = append(m.full, key)
	}
}

// alike reports whether all lanes have the same outcome at the same tick.
func (at *Difference) alike() bool {
	return !slices.ContainsFunc(at.Ends, func(e End) bool { return e != at.Ends[0] })
}

func (m *matcher) count(at *Difference) {
	m.differing++
	if m.first == nil {
		m.first = at
	}
	if len(m.shown) < DifferencesMax {
		m.shown = append(m.shown, at)
	}
}
