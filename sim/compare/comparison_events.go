package compare

import (
	"reflect"
	"strings"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/wheel"
)

// EventDiff is the first difference between the events of two lanes, one from each side of a comparison,
// that have the same algorithm and parameters.
type EventDiff struct {
	Group int       // index in Comparison.Groups of the pair of lanes
	Tick  int64     // tick of the difference
	Lines [2]string // differing event of each side as a trace line; "" if the lane has no more events at Tick
}

// eventMatcher compares the events of two lanes up to their first difference.
type eventMatcher struct {
	c     *comparer
	group int        // index in Comparison.Groups of the pair of lanes
	lanes [2]int     // for each side, the index of the lane that is compared
	diff  *EventDiff // first difference; nil means none so far
}

// eventMatcher returns an eventMatcher for group g, which is c.Groups[k]. It returns nil unless
// there are two sides and both lanes of the group have the same algorithm and parameters.
func (c *comparer) eventMatcher(k int, g Pairing) *eventMatcher {
	if len(c.Sides) != 2 {
		return nil
	}
	a, b := c.Sides[0].Program.Scenario.Lanes[g[0].Lane], c.Sides[1].Program.Scenario.Lanes[g[1].Lane]
	if a.Algorithm != b.Algorithm || !reflect.DeepEqual(a.Params, b.Params) {
		return nil
	}
	return &eventMatcher{c: c, group: k, lanes: [2]int{g[0].Lane, g[1].Lane}}
}

// tick compares the records of the two lanes at tick t and stores the first difference in m.diff. Once m.diff is set,
// tick does nothing. recs holds the records of all lanes at tick t, indexed by side.
func (m *eventMatcher) tick(t int64, recs [][]engine.Record) {
	if m.diff != nil {
		return
	}
	a, b := 0, 0
	for {
		a, b = after(recs[0], a, m.lanes[0]), after(recs[1], b, m.lanes[1])
		if a == len(recs[0]) && b == len(recs[1]) {
			return
		}
		if a == len(recs[0]) || b == len(recs[1]) || !m.same(&recs[0][a], &recs[1][b]) {
			m.diff = &EventDiff{Group: m.group, Tick: t, Lines: [2]string{m.line(0, recs[0], a), m.line(1, recs[1], b)}}
			return
		}
		a, b = a+1, b+1
	}
}

// after returns the smallest index j >= i for which recs[j] is a record of the given lane, or
// len(recs) if there is none.
func after(recs []engine.Record, i, lane int) int {
	for i < len(recs) && int(recs[i].Lane) != lane {
		i++
	}
	return i
}

// same reports whether record a, from the first side of the comparison, and record b, from the
// second, describe the same event. The sides may have different start ticks, and different IDs for
// the same timer. Costs are ignored.
func (m *eventMatcher) same(a, b *engine.Record) bool {
	x, y := a.Event, b.Event
	x.Cost, y.Cost = 0, 0
	for side, e := range [...]*wheel.Event{&x, &y} {
		e.Due, e.X = engine.Relative(e, m.c.Sides[side].Program.Start)
		if e.Run <= 1 {
			e.Run = 0
		}
		if e.Kind == wheel.KindMiss { // a trace line has the name only
			e.ID = 0
		}
		if e.ID > 0 {
			e.ID = m.c.keys[side].key(e.ID)
		}
		if e.Before > 0 && e.Kind != wheel.KindHand {
			e.Before = m.c.keys[side].key(e.Before)
		}
		clearOmitted(e)
	}
	return x == y
}

// clearOmitted clears the fields that trace lines omit for events of the kind of e, so that an event of
// a run can be compared with one read from a trace.
func clearOmitted(e *wheel.Event) {
	fields := tracefile.LineFields[e.Kind]
	if !strings.Contains(fields, "due") && e.Kind != wheel.KindFinding {
		e.Due = 0
	}
	if !strings.Contains(fields, "run") {
		e.Run = 0
	}
	switch e.Kind {
	case wheel.KindPlace, wheel.KindGrow, wheel.KindResize, wheel.KindFinding:
	default:
		e.X = 0
	}
	if !strings.Contains(fields, "from") && e.Kind != wheel.KindHand && !strings.HasPrefix(fields, "level") {
		e.FromLevel, e.FromSlot = 0, 0
	}
	if e.Kind != wheel.KindPlace && !strings.Contains(fields, "to") {
		e.ToLevel, e.ToSlot = 0, 0
	}
}

// line returns recs[i] as a trace line, or "" if i is len(recs). recs are the records of the given
// side at the current tick.
func (m *eventMatcher) line(side int, recs []engine.Record, i int) string {
	if i == len(recs) {
		return ""
	}
	return m.c.sources[side].line(i)
}
