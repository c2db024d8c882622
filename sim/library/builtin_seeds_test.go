package library

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// seedExample is a worked example of the seed documents: the events of its timers, computed by
// hand.
type seedExample struct {
	ID     string      `json:"id"`
	Events []seedEvent `json:"events"`
}

type seedEvent struct {
	T         any    `json:"t"` // a number, or a time such as "11d 10:24:30"
	Ev        string `json:"ev"`
	ID        string `json:"id"`
	Slot      any    `json:"slot"`
	Level     any    `json:"level"` // a number, or "hour"
	Rounds    *int64 `json:"rounds"`
	FromLevel any    `json:"from_level"`
	FromSlot  any    `json:"from_slot"`
	To        string `json:"to"`
	ToLevel   any    `json:"to_level"`
	ToSlot    any    `json:"to_slot"`
	Fired     *bool  `json:"fired"`
}

// shownBy names, for each example, the lane of a built-in scenario that shows it and the names of
// the example's timers in it.
var shownBy = map[string]struct {
	scenario, lane string
	timers         map[string]string
}{
	"simple-u1-n3":                   {"simple-three", "simple", nil},
	"rounds-u1-n3-4ms":               {"rounds-three", "rounds", nil},
	"hier-u1-n3-task1-2ms-task2-4ms": {"three-slots", "hierarchical", nil},
	"clock12-10s":                    {"clock-12", "rounds", nil},
	"clock12-20s":                    {"clock-12", "rounds", nil},
	"clock12-20s-multilevel":         {"clock-12", "two-levels", nil},
	"wheel10-2s":                     {"ten-slots", "simple", nil},
	"wheel10-9s-at-cursor2":          {"ten-slots", "simple", nil},
	"wheel10-15s-two-levels":         {"ten-slots", "levels", nil},
	"wheel10-15s-at-cursor2":         {"ten-slots", "levels", map[string]string{"15s": "15s from 2"}},
	"wheel10-15s-circle":             {"ten-slots", "rounds", nil},
	"paper-hms":                      {"paper-clock", "digits", map[string]string{"": "alarm"}},
}

// story returns the events of one timer in one lane as text: placements, visits that reduce its
// rounds, cascades, expiries and rejections.
func story(t *testing.T, text, lane, timer string) []string {
	t.Helper()
	p, recs := runBuiltin(t, text)
	index := slices.IndexFunc(p.Scenario.Lanes, func(l scenario.LaneSpec) bool { return l.ID == lane })
	var list []string
	slot, rounds := "", int64(0) // the slot in which the timer waits, and its rounds
	for _, r := range recs {
		if int(r.Lane) != index {
			continue
		}
		if r.Kind == wheel.KindHand && fmt.Sprintf("%d/%d", r.FromLevel, r.FromSlot) == slot && rounds > 0 {
			rounds--
			list = append(list, fmt.Sprintf("%d visit %s", r.Tick, slot))
		}
		if r.ID == 0 || p.Name(r.ID) != timer {
			continue
		}
		switch r.Kind {
		case wheel.KindPlace:
			word := fmt.Sprintf("%d place %d/%d", r.Tick, r.ToLevel, r.ToSlot)
			if r.X != wheel.NoRounds {
				slot = fmt.Sprintf("%d/%d", r.ToLevel, r.ToSlot)
				rounds = r.X
				word += fmt.Sprintf(" rounds %d", r.X)
			}
			list = append(list, word)
		case wheel.KindCascade:
			list = append(list, fmt.Sprintf("%d cascade %d/%d", r.Tick, r.ToLevel, r.ToSlot))
		case wheel.KindExpire, wheel.KindReject:
			list = append(list, fmt.Sprintf("%d %s", r.Tick, r.Kind))
		}
	}
	return list
}

// runBuiltin runs a built-in scenario and returns the program and the records of all lanes.
func runBuiltin(t *testing.T, scenario string) (*program.Program, []engine.Record) {
	t.Helper()
	data, ok := Builtin(scenario)
	if !ok {
		t.Fatalf("no built-in scenario is called %s", scenario)
	}
	p, err := program.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	e := plantest.Engine(t, p)
	var recs []engine.Record
	for {
		at, ok := e.Next()
		if !ok {
			return p, recs
		}
		recs = e.Tick(at, recs)
	}
}

func readSeeds(t *testing.T) map[string]seedExample {
	t.Helper()
	data, err := os.ReadFile("testdata/seed_examples.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Examples []seedExample }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	byID := map[string]seedExample{}
	for _, e := range file.Examples {
		byID[e.ID] = e
	}
	return byID
}

// TestBuiltinsShowTheSeedExamples checks that the placements, visits, cascades and expiries of
// each example that the base wheels can show are exactly those computed by hand.
func TestBuiltinsShowTheSeedExamples(t *testing.T) {
	seeds := readSeeds(t)
	for id, by := range shownBy {
		t.Run(id, func(t *testing.T) {
			seed, ok := seeds[id]
			if !ok {
				t.Fatal("not in the vectors")
			}
			withRounds := by.lane == "rounds"
			for timer, want := range wantedStories(seed, withRounds) {
				name := timer
				if by.timers != nil {
					name = by.timers[timer]
				}
				if got := story(t, by.scenario, by.lane, name); !reflect.DeepEqual(got, want) {
					t.Errorf("%s:\n got %q\nwant %q", name, got, want)
				}
			}
		})
	}
}

// wantedStories converts an example's events to the texts of story, by timer.
func wantedStories(seed seedExample, withRounds bool) map[string][]string {
	stories := map[string][]string{}
	for _, e := range seed.Events {
		at := seedTime(e.T)
		switch {
		case e.Ev == "add":
			word := fmt.Sprintf("%d place %d/%d", at, seedLevel(e.Level), seedInt(e.Slot))
			if withRounds && e.Rounds != nil {
				word += fmt.Sprintf(" rounds %d", *e.Rounds)
			}
			stories[e.ID] = append(stories[e.ID], word)
		case e.Ev == "visit" && e.Fired != nil && !*e.Fired:
			slot := strings.Fields(stories[e.ID][0])[2]
			stories[e.ID] = append(stories[e.ID], fmt.Sprintf("%d visit %s", at, slot))
		case e.Ev == "cascade" && e.To != "":
			stories[e.ID] = append(stories[e.ID], fmt.Sprintf("%d cascade %d/%d", at, seedLevel(e.To), seedInt(e.Slot)))
		case e.Ev == "cascade":
			stories[e.ID] = append(stories[e.ID], fmt.Sprintf("%d cascade %d/%d", at, seedLevel(e.ToLevel), seedInt(e.ToSlot)))
		case e.Ev == "fire":
			stories[e.ID] = append(stories[e.ID], fmt.Sprintf("%d expire", at))
		}
	}
	return stories
}

// seedTime returns a time as a tick. A time of the paper's clock is relative to the moment at
// which its alarm is set.
func seedTime(t any) int64 {
	text, ok := t.(string)
	if !ok {
		return seedInt(t)
	}
	var d, h, m, s int64
	if n, _ := fmt.Sscanf(text, "%dd %d:%d:%d", &d, &h, &m, &s); n != 4 {
		return -1
	}
	return ((d*24+h)*60+m)*60 + s - 987870
}

func seedLevel(l any) int64 {
	if name, ok := l.(string); ok {
		return int64(slices.Index([]string{"second", "minute", "hour", "day"}, name))
	}
	return seedInt(l)
}

func seedInt(v any) int64 {
	f, _ := v.(float64)
	return int64(f)
}

// TestBuiltinsShowTheSeedRemarks checks the remarks of the examples: errata, traps, limits, spans.
func TestBuiltinsShowTheSeedRemarks(t *testing.T) {
	for _, c := range []struct {
		what, scenario, lane, timer string
		want                        []string
	}{
		{"limit of simple-u1-n3", "simple-three", "simple", "3 ms", []string{"0 reject"}},
		{"trap of rounds-u1-n3-4ms", "rounds-off-by-one", "naive", "three", []string{"0 place 0/0 rounds 1", "3 visit 0/0", "6 expire"}},
		{"its exact formula", "rounds-off-by-one", "exact", "three", []string{"0 place 0/0 rounds 0", "3 expire"}},
		{"paper-hash-256", "paper-hash", "rounds", "788", []string{"10 place 0/30 rounds 3", "30 visit 0/30", "286 visit 0/30", "542 visit 0/30", "798 expire"}},
		{"one level of 2m reaches 119 s", "two-m", "one-level", "119s", []string{"0 place 0/119", "119 expire"}},
		{"and not 120 s", "two-m", "one-level", "120s", []string{"0 reject"}},
		{"two levels of m reach 3599 s", "two-m", "two-levels", "59min59s", []string{"0 place 1/59", "3540 cascade 0/59", "3599 expire"}},
		{"and not 3600 s", "two-m", "two-levels", "1h", []string{"0 reject"}},
		{"the clock refuses 20 s without rounds", "clock-12", "simple", "20s", []string{"0 reject"}},
		{"distance skips the hours", "paper-clock", "distance", "alarm", []string{"0 place 1/15", "3030 cascade 0/15", "3045 expire"}},
	} {
		if got := story(t, c.scenario, c.lane, c.timer); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.what, got, c.want)
		}
	}
}
