package scripttest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/wheel"
)

// foldScenarios are the workloads whose traces are folded: together they use every rule of the
// algorithms.
func foldScenarios(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, name := range []string{"../e2e/testdata/every-rule.json", "testdata/started-late.json", "testdata/calendar.json"} {
		all[name] = read(t, name)
	}
	for _, b := range library.Builtins() {
		all[b.Name] = b.Data
	}
	return all
}

// foldEventsMax bounds the traces that are folded event by event.
const foldEventsMax = 1500

// TestFoldOfEveryEvent folds whole traces in Node. After every event the state of its lane
// equals that of Go's fold.
func TestFoldOfEveryEvent(t *testing.T) {
	t.Parallel()
	n := newFolding(t)
	kinds := map[string]int{}
	for name, data := range foldScenarios(t) {
		run := runOf(t, data)
		if last, err := run.EndSeq(t.Context()); err != nil || last > foldEventsMax {
			continue
		}
		trace := traceOf(t, run)
		got := eval[[]foldedLane](n, fmt.Sprintf("foldTrace(%s, %s)", quote(trace), quote(levelsOf(t, run))))
		events := eventLines(t, trace)
		if len(got) != len(events) || len(events) == 0 {
			t.Fatalf("%s: %d of %d events folded", name, len(got), len(events))
		}
		folds, recs := foldsOf(t, run)
		start := run.Program().Start
		for k, e := range events {
			kinds[e.Kind]++
			fold := folds[recs[k].Lane]
			if err := fold.Apply(recs[k].Tick+start, &recs[k].Event); err != nil {
				t.Fatalf("%s, seq %d: Go refuses the event: %v", name, k+1, err)
			}
			s := fold.State(wheel.AllEntries)
			want := canonical(&s, start)
			if !reflect.DeepEqual(got[k], want) {
				t.Fatalf("%s, seq %d (%s in lane %s): Node has\n%+v\nGo has\n%+v", name, k+1, e.Kind, e.Lane, got[k], want)
			}
		}
	}
	for _, kind := range []string{"schedule", "reject", "miss", "place", "cascade", "move", "hand", "cancel", "expire", "grow",
		"pend", "mark", "sweep", "enqueue", "dequeue", "finding", "resize", "rekey"} {
		if kinds[kind] == 0 {
			t.Errorf("no trace has a %s: the test covers less than it should", kind)
		}
	}
}

// byHandLevels are the levels of the lane of testdata/by-hand.jsonl.
var byHandLevels = [][][3]int64{{{0, 8, 1}}}

// TestFoldByHand folds events that no lane emits yet (pending queues, marks, sweeps, the delay
// queue, findings) in Go and in Node, event by event.
func TestFoldByHand(t *testing.T) {
	t.Parallel()
	n := newFolding(t)
	text := string(read(t, "testdata/by-hand.jsonl"))
	got := eval[[]foldedLane](n, fmt.Sprintf("foldTrace(%s, %s)", quote(text), quote(byHandLevels)))
	f := wheel.NewFold(&wheel.State{Levels: []wheel.Level{{Level: 0, Slots: 8, Width: 1}}})
	for k, e := range eventLines(t, text) {
		we := e.event()
		if err := f.Apply(e.Tick, &we); err != nil {
			t.Fatalf("Go refuses line %d: %v", k+2, err)
		}
		s := f.State(wheel.AllEntries)
		if want := canonical(&s, 0); !reflect.DeepEqual(got[k], want) {
			t.Fatalf("after line %d: Node has\n%+v\nGo has\n%+v", k+2, got[k], want)
		}
	}
}

// TestFoldRefusals drops, duplicates and alters every event. Node must refuse the result and
// change nothing, or reach a state other than that of the true event, so that every alteration is
// detected.
func TestFoldRefusals(t *testing.T) {
	t.Parallel()
	n := newFolding(t)
	run := runOf(t, read(t, "../e2e/testdata/every-rule.json"))
	for name, c := range map[string]struct {
		trace  string
		levels [][][3]int64
	}{"every-rule": {traceOf(t, run), levelsOf(t, run)}, "by-hand": {string(read(t, "testdata/by-hand.jsonl")), byHandLevels}} {
		trace, tried := c.trace, 0
		for _, v := range eval[[]tampering](n, fmt.Sprintf("tamper(%s, %s)", quote(trace), quote(c.levels))) {
			tried++
			if v.Unseen || v.Changed {
				t.Errorf("%s, seq %d, %s: unseen %v, changed the state though refused %v", name, v.Seq, v.What, v.Unseen, v.Changed)
			}
		}
		if tried < 2*strings.Count(trace, "\n")-10 {
			t.Errorf("%s: only %d tamperings tried", name, tried)
		}
	}
}

// tampering is Node's result for one altered event.
type tampering struct {
	Seq             int64
	What            string
	Unseen, Changed bool
}

// levelsOf returns the levels of each lane before the first event.
func levelsOf(t *testing.T, run *sim.Run) (levels [][][3]int64) {
	t.Helper()
	snap, err := run.Seek(t.Context(), sim.After(0), 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range snap.Lanes {
		levels = append(levels, canonical(&snap.Lanes[i].State, 0).Levels)
	}
	return levels
}

// foldedLane is a lane in the form in which states are compared; see testdata/canonical.js.
type foldedLane struct {
	Levels [][3]int64    `json:"levels"`
	Places []foldedPlace `json:"places"`
	Arming *[5]int64     `json:"arming"`
	Queue  [][3]int64    `json:"queue"`
	Counts [9]int64      `json:"counts"`
}

type foldedPlace struct {
	Level, Slot int64
	Timers      [][5]int64
}

// UnmarshalJSON reads [level, slot, [[id, due, rounds, run, marked] …]].
func (p *foldedPlace) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&p.Level, &p.Slot, &p.Timers})
}

// foldsOf returns the fold of each lane before the first event, and the records of a run.
func foldsOf(t *testing.T, run *sim.Run) (folds []*wheel.Fold, recs []engine.Record) {
	t.Helper()
	e, err := engine.NewEngine(run.Program())
	if err != nil {
		t.Fatal(err)
	}
	snap, err := run.Seek(t.Context(), sim.After(0), 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range snap.Lanes {
		folds = append(folds, wheel.NewFold(&snap.Lanes[i].State))
	}
	for at, ok := e.Next(); ok; at, ok = e.Next() {
		recs = e.Tick(at, recs)
	}
	return folds, recs
}

func canonical(s *wheel.State, start int64) foldedLane {
	c := &s.Counts
	out := foldedLane{Levels: [][3]int64{}, Places: []foldedPlace{}, Queue: [][3]int64{},
		Counts: [9]int64{int64(s.Live), c.Scheduled, c.Rejected, c.Cancelled, c.Expired, c.Missed, c.Early, c.Late, c.Findings}}
	for _, l := range s.Levels {
		out.Levels = append(out.Levels, [3]int64{int64(l.Level), int64(l.Slots), l.Width})
	}
	for _, b := range s.Queue {
		out.Queue = append(out.Queue, [3]int64{int64(b.Level), int64(b.Slot), b.Due - start})
	}
	for _, p := range s.Places {
		place := foldedPlace{Level: int64(p.Level), Slot: int64(p.Slot)}
		for i := range p.Entries {
			place.Timers = append(place.Timers, canonicalEntry(&p.Entries[i], start))
		}
		out.Places = append(out.Places, place)
	}
	if s.Arming != nil {
		e := canonicalEntry(s.Arming, start)
		out.Arming = &e
	}
	return out
}

func canonicalEntry(e *wheel.Entry, start int64) [5]int64 {
	rounds, marked := engine.Marks(e, start)
	return [5]int64{int64(e.ID), e.Due - start, rounds, int64(e.Run), marked}
}
