package scripttest

import (
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// TestLinesAgree selects the line of pseudo-code of every event of the trials and of the small
// built-in scenarios, in Node and in Go: the results are equal.
func TestLinesAgree(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	n.run(`load("story/code-lines.js").then(({ lineOf }) => {
		globalThis.linesOf = (code, rows) => rows.map((row) => lineOf(code, row, 0));
	})`)
	code := codeOf(t)
	for algorithm, events := range eventsByAlgorithm(t) {
		page, ok := knowledge.Of(algorithm)
		if !ok {
			t.Fatalf("%s has no page", algorithm)
		}
		rows, want := make([][]int64, len(events)), make([]int, len(events))
		for i := range events {
			rows[i] = rowOf(&events[i])
			if want[i], ok = page.LineOf(&events[i]); !ok {
				t.Errorf("%s: no line runs at %+v", algorithm, events[i])
			}
		}
		if got := eval[[]int](n, "linesOf("+quote(code[algorithm])+","+quote(rows)+")"); !slices.Equal(got, want) {
			t.Errorf("%s: of %d events Node and Go find different lines", algorithm, len(events))
		}
	}
}

// eventsByAlgorithm returns the events of every trial and small built-in scenario.
func eventsByAlgorithm(t *testing.T) map[string][]wheel.Event {
	t.Helper()
	var all [][]byte
	for _, b := range library.Builtins() {
		all = append(all, b.Data)
	}
	for _, a := range algorithms.Catalogue() {
		if b, ok := library.Trial(a.ID); ok {
			all = append(all, b.Data)
		}
	}
	events := map[string][]wheel.Event{}
	for _, data := range all {
		p, err := program.Load(data)
		if err != nil {
			t.Fatal(err)
		}
		recs := firstRecords(t, p)
		for i := range recs {
			algorithm := p.Scenario.Lanes[recs[i].Lane].Algorithm
			events[algorithm] = append(events[algorithm], recs[i].Event)
		}
	}
	if len(events) != len(algorithms.Catalogue()) {
		t.Fatalf("events of %d algorithms of %d", len(events), len(algorithms.Catalogue()))
	}
	return events
}

// firstRecords returns the first records of a program.
func firstRecords(t *testing.T, p *program.Program) (recs []engine.Record) {
	t.Helper()
	e, err := engine.NewEngine(p)
	if err != nil {
		t.Fatal(err)
	}
	for at, ok := e.Next(); ok && len(recs) < foldEventsMax; at, ok = e.Next() {
		recs = e.Tick(at, recs)
	}
	return recs[:min(len(recs), foldEventsMax)]
}

// rowOf returns an event as a row of ROWS, see docs/MESSAGES.md.
func rowOf(e *wheel.Event) []int64 {
	x := e.X
	if x == wheel.NoRounds {
		x = -1
	}
	return []int64{1, 0, 0, int64(e.Kind), int64(e.ID), int64(e.FromLevel), int64(e.FromSlot), int64(e.ToLevel), int64(e.ToSlot),
		int64(e.Before), x, e.Due, int64(e.Run), int64(e.Code), 0}
}
