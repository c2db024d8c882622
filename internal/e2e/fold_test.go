package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/wheel"
)

// The browser's fold is compared with Go's without the page and the server: a blank page imports
// the modules and receives traces.

// newFoldTab opens a blank page that can import the modules of static/.
func newFoldTab(t *testing.T) *tab {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/js/", http.FileServerFS(static.FS()))
	mux.Handle("/knowledge/", http.FileServerFS(static.FS()))
	mux.HandleFunc("/blank", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>fold</title></html>`)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	p := newTab(t)
	p.do(chromedp.Navigate(s.URL + "/blank"))
	p.run(string(read(t, "canonical.js")))
	p.run(string(read(t, "fold.js")))
	return p
}

// foldScenarios are the workloads whose traces are folded: together they use every rule of the
// algorithms.
func foldScenarios(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, name := range []string{"every-rule", "started-late", "calendar"} {
		data, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		all[name] = data
	}
	for _, b := range library.Builtins() {
		all[b.Name] = b.Data
	}
	return all
}

// foldEventsMax bounds the traces that are folded event by event.
const foldEventsMax = 4000

// TestFoldOfEveryEvent folds whole traces in the browser. After every event the state of its lane
// equals that of Go's fold.
func TestFoldOfEveryEvent(t *testing.T) {
	t.Parallel()
	p := newFoldTab(t)
	kinds := map[string]int{}
	for name, data := range foldScenarios(t) {
		in := instantsOf(t, data)
		if in.last(t) > foldEventsMax {
			continue
		}
		trace := string(traceOf(t, in))
		got := eval[[]foldedLane](p, fmt.Sprintf("foldTrace(%s, %s)", quote(trace), quote(levelsOf(t, in))))
		events := eventLines(t, trace)
		if len(got) != len(events) || len(events) == 0 {
			t.Fatalf("%s: %d of %d events folded", name, len(got), len(events))
		}
		for k, e := range events {
			kinds[e.Kind]++
			want := canonicalAt(t, in, int64(k+1), e.Lane)
			if !reflect.DeepEqual(got[k], want) {
				t.Fatalf("%s, seq %d (%s in lane %s): the browser has\n%+v\nGo has\n%+v", name, k+1, e.Kind, e.Lane, got[k], want)
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
// queue, findings) in Go and in the browser, event by event.
func TestFoldByHand(t *testing.T) {
	t.Parallel()
	p := newFoldTab(t)
	text, err := os.ReadFile("testdata/by-hand.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	got := eval[[]foldedLane](p, fmt.Sprintf("foldTrace(%s, %s)", quote(string(text)), quote(byHandLevels)))
	f := wheel.NewFold(&wheel.State{Levels: []wheel.Level{{Level: 0, Slots: 8, Width: 1}}})
	for k, e := range eventLines(t, string(text)) {
		we := e.event()
		if err := f.Apply(e.Tick, &we); err != nil {
			t.Fatalf("Go refuses line %d: %v", k+2, err)
		}
		s := f.State(wheel.AllEntries)
		if want := canonical(&s, 0); !reflect.DeepEqual(got[k], want) {
			t.Fatalf("after line %d: the browser has\n%+v\nGo has\n%+v", k+2, got[k], want)
		}
	}
}

// TestFoldRefusals drops, duplicates and alters every event. The browser must refuse the result and
// change nothing, or reach a state other than that of the true event, so that every alteration is
// detected.
func TestFoldRefusals(t *testing.T) {
	t.Parallel()
	p := newFoldTab(t)
	every, err := os.ReadFile("testdata/every-rule.json")
	if err != nil {
		t.Fatal(err)
	}
	hand, err := os.ReadFile("testdata/by-hand.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	in := instantsOf(t, every)
	for name, c := range map[string]struct {
		trace  string
		levels [][][3]int64
	}{"every-rule": {string(traceOf(t, in)), levelsOf(t, in)}, "by-hand": {string(hand), byHandLevels}} {
		trace, tried := c.trace, 0
		for _, v := range eval[[]tampering](p, fmt.Sprintf("tamper(%s, %s)", quote(trace), quote(c.levels))) {
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

// tampering is the browser's result for one altered event.
type tampering struct {
	Seq             int64
	What            string
	Unseen, Changed bool
}

// levelsOf returns the levels of each lane before the first event.
func levelsOf(t *testing.T, in *instants) (levels [][][3]int64) {
	t.Helper()
	snap, err := in.run.SeekSeq(t.Context(), 0, 0)
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

// canonicalAt returns a lane after an event, by Go's fold.
func canonicalAt(t *testing.T, in *instants, seq int64, lane string) foldedLane {
	t.Helper()
	snap, err := in.run.SeekSeq(t.Context(), seq, wheel.AllEntries)
	if err != nil {
		t.Fatal(err)
	}
	scenario := in.run.Program().Scenario
	for i := range snap.Lanes {
		if scenario.Lanes[i].ID == lane {
			return canonical(&snap.Lanes[i].State, scenario.Start)
		}
	}
	t.Fatalf("no lane is called %s", lane)
	return foldedLane{}
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

// traceOf returns a run's trace.
func traceOf(t *testing.T, in *instants) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := tracefile.Write(t.Context(), &b, in.run.Program(), tracefile.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
