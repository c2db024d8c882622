package cursor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// conditions lists all conditions that can be searched for in the scenario small.
var conditions = []Query{
	{Condition: ConditionExpire, Lane: -1}, {Condition: ConditionExpire, Lane: 4},
	{Condition: ConditionCascade, Lane: -1}, {Condition: ConditionCascade, Lane: 5}, {Condition: ConditionCascade, Lane: 0},
	{Condition: ConditionReject, Lane: -1}, {Condition: ConditionReject, Lane: 2}, {Condition: ConditionFinding, Lane: -1},
	{Condition: ConditionTimer, Lane: -1, Timer: "a"}, {Condition: ConditionTimer, Lane: 3, Timer: "beat"}, {Condition: ConditionTimer, Lane: -1, Timer: "g7"},
	{Condition: ConditionSlot, Lane: -1, Over: 2}, {Condition: ConditionSlot, Lane: 8, Over: 6}, {Condition: ConditionSlot, Lane: -1, Over: 0}, {Condition: ConditionSlot, Lane: 2, Over: 1000},
	{Condition: ConditionCost, Lane: -1, Over: 7}, {Condition: ConditionCost, Lane: 0, Over: 0}, {Condition: ConditionCost, Lane: 9, Over: 4},
	{Condition: ConditionDiffer, Lane: -1},
}

// matchesOf returns all matches in a run, computed from every record and every state.
func matchesOf(t *testing.T, p *program.Program, all *plantest.Straight, w Query) (list []match) {
	t.Helper()
	var exceeds func(r *engine.Record) bool
	if w.Condition == ConditionSlot {
		exceeds = foldedExceeds(t, p, w.Over)
	}
	for i := range all.Records {
		r := &all.Records[i]
		exceeded := exceeds != nil && exceeds(r)
		if w.Lane >= 0 && int(r.Lane) != w.Lane {
			continue
		}
		holds := exceeded
		switch w.Condition {
		case ConditionExpire, ConditionCascade, ConditionReject, ConditionFinding:
			holds = r.Kind.String() == w.Condition.String()
		case ConditionTimer:
			holds = r.ID > 0 && p.Name(r.ID) == w.Timer
		}
		if holds {
			end := slices.IndexFunc(all.Marks, func(m int) bool { return m > i })
			list = append(list, match{tick: r.Tick, seq: int64(i) + 1, at: sim.After(int64(all.Marks[end]))})
		}
	}
	for tick := range all.States {
		if w.Condition == ConditionCost && costsMore(all, tick, w) || w.Condition == ConditionDiffer && differs(all, tick) {
			list = append(list, match{tick: int64(tick), at: sim.EndOf(int64(tick))})
		}
	}
	return list
}

// foldedExceeds folds the events of every lane. The function that it returns reports whether an
// event raised the number of timers in a place above `over`.
func foldedExceeds(t *testing.T, p *program.Program, over int64) func(*engine.Record) bool {
	t.Helper()
	e := plantest.Engine(t, p)
	var folds []*wheel.Fold
	for _, l := range e.Snapshot(wheel.AllEntries).Lanes {
		folds = append(folds, wheel.NewFold(&l.State))
	}
	above := func(lane uint16) map[[2]int64]bool {
		set := map[[2]int64]bool{}
		for _, place := range folds[lane].State(0).Places {
			if int64(place.Count) > over {
				set[[2]int64{int64(place.Level), int64(place.Slot)}] = true
			}
		}
		return set
	}
	return func(r *engine.Record) bool {
		was := above(r.Lane)
		if err := folds[r.Lane].Apply(p.Start+r.Tick, &r.Event); err != nil {
			t.Fatal(err)
		}
		for place := range above(r.Lane) {
			if !was[place] && r.Kind != wheel.KindMove { // a swap moves all timers of a slot to another
				return true
			}
		}
		return false
	}
}

func recordsAt(s *plantest.Straight, tick int) (recs []engine.Record) {
	for i := range s.Records {
		if s.Records[i].Tick == int64(tick) {
			recs = append(recs, s.Records[i])
		}
	}
	return recs
}

func costsMore(s *plantest.Straight, tick int, w Query) bool {
	for i, l := range s.States[tick].Lanes {
		if (w.Lane < 0 || w.Lane == i) && l.Cost.Tick > w.Over && len(recordsAt(s, tick)) > 0 {
			return true
		}
	}
	return false
}

// differs formats what every lane fired and rejected in a tick.
func differs(s *plantest.Straight, tick int) bool {
	outcomes := make([][]string, len(s.States[tick].Lanes))
	for _, r := range recordsAt(s, tick) {
		if r.Kind == wheel.KindExpire || r.Kind == wheel.KindReject {
			outcomes[r.Lane] = append(outcomes[r.Lane], fmt.Sprint(r.Kind, r.ID, r.Run))
		}
	}
	for i := range outcomes {
		slices.Sort(outcomes[i])
	}
	return slices.ContainsFunc(outcomes, func(o []string) bool { return !slices.Equal(o, outcomes[0]) })
}

// searchTo runs a search to its end.
func searchTo(t *testing.T, r *sim.Run, w Query, from sim.Position, forward bool) (sim.Position, bool) {
	t.Helper()
	s, err := newSearch(r, w, from, forward)
	if err != nil {
		t.Fatal(err)
	}
	for range 10000 {
		at, state, err := s.nextPart(t.Context())
		if err != nil || state == partLater {
			t.Fatalf("%v %v", state, err)
		}
		if state != partMore {
			return at, state == partFound
		}
	}
	t.Fatal("a search without an end")
	return sim.Position{}, false
}

// checkSearch compares searches in both directions with the list of all matches.
func checkSearch(t *testing.T, r *sim.Run, w Query, from sim.Position, matches []match) {
	t.Helper()
	ahead, behind := -1, -1
	for i, m := range matches {
		isAhead, isBehind := m.seq > from.Seq, m.at.Seq < from.Seq || m.tick < from.Tick
		if m.seq == 0 {
			isAhead = m.tick > from.Tick || m.tick == from.Tick && !from.Whole
			isBehind = m.tick < from.Tick
		}
		if isAhead && ahead < 0 {
			ahead = i
		}
		if isBehind {
			behind = i
		}
	}
	for _, c := range []struct {
		forward bool
		want    int
	}{{true, ahead}, {false, behind}} {
		got, found := searchTo(t, r, w, from, c.forward)
		if found != (c.want >= 0) {
			t.Fatalf("from %+v forward %v: found %v, there are %d matches, the nearest number %d", from, c.forward, found, len(matches), c.want)
		}
		if found && got != matches[c.want].at {
			t.Fatalf("from %+v forward %v: found %+v, want %+v", from, c.forward, got, matches[c.want].at)
		}
	}
}

// Every condition of the test above has a match in the scenario, except those that cannot have one,
// since a test without matches would prove nothing.
func TestSearchConditionsAreMet(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	all := plantest.RunStraight(t, p)
	for _, w := range conditions {
		never := w.Condition == ConditionFinding || w.Condition == ConditionCascade && w.Lane == 0 || w.Condition == ConditionReject && w.Lane == 2 || w.Over == 1000
		if n := len(matchesOf(t, p, all, w)); (n == 0) != never || w.Condition == ConditionDiffer && n == len(all.States) {
			t.Errorf("%+v: %d matches", w, n)
		}
	}
}

// A calendar that grows and shrinks moves all its timers at once, and the counts of its slots
// remain correct.
func TestSearchFullSlotsOfACalendar(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"until":400,"lanes":[{"algorithm":"calendar"}],"workload":{"generate":[
	 {"prefix":"c","seed":3,"count":120,"arrivals":{"dist":"uniform","min":0,"max":60},"delay":{"dist":"uniform","min":1,"max":300}}]}}`)
	all := plantest.RunStraight(t, p)
	if !slices.ContainsFunc(all.Records, func(r engine.Record) bool { return r.Kind == wheel.KindResize }) {
		t.Fatal("no resize: the test looks at the wrong thing")
	}
	r := openRun(t, p)
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	for over := range int64(9) {
		w := Query{Condition: ConditionSlot, Lane: -1, Over: over}
		matches := matchesOf(t, p, all, w)
		for _, tick := range []int64{0, 20, 60, 150, p.Until} {
			checkSearch(t, r, w, sim.Position{Tick: tick, Seq: all.States[tick].Seq, Whole: true}, matches)
		}
	}
}

// With the timeline a search skips chunks without events of its kind.
func TestSearchSkipsByTheTimeline(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	all := plantest.RunStraight(t, p)
	r := openRun(t, p)
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	for _, w := range conditions {
		for _, m := range matchesOf(t, p, all, w) {
			if !mayHold(r, w, m.tick, m.tick) {
				t.Errorf("%+v: the timeline rules out tick %d", w, m.tick)
			}
		}
	}
	skipped := 0
	for tick := range int64(len(all.States)) {
		if !mayHold(r, Query{Condition: ConditionCascade, Lane: 4}, tick, tick) {
			skipped++
		}
	}
	if skipped < 20 {
		t.Errorf("only %d ticks are ruled out", skipped)
	}
}

func TestSearchRefusesWhatCannotBeSought(t *testing.T) {
	r := openRun(t, plantest.Load(t, runnerScenario))
	for want, w := range map[string]Query{
		"what: the condition is missing": {},
		"over: -1 is not":                {Condition: ConditionCost, Lane: -1, Over: -1},
		"timer: no timer":                {Condition: ConditionTimer, Lane: -1, Timer: "absent"},
		"what: differ compares lanes;":   {Condition: ConditionDiffer, Lane: -1},
	} {
		_, err := newSearch(r, w, sim.Position{}, true)
		var input *scenario.InputError
		if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", w, err, want)
		}
	}
}

func TestWhatWords(t *testing.T) {
	for w := ConditionExpire; w <= ConditionDiffer; w++ {
		if got, ok := ConditionOf(w.String()); !ok || got != w {
			t.Errorf("%d is %q, which is %d", w, w.String(), got)
		}
	}
	if _, ok := ConditionOf(""); ok {
		t.Error("no word is a condition")
	}
}
