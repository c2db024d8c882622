package e2e

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
)

// namesShown is how many timers of a place a table lists before "+N".
const namesShown = 20

// laneTable is one lane as text, as shown by the page or derived from the run.
type laneTable struct {
	ID, Algorithm string
	Rows          []tableRow
	Totals, Costs map[string]string // figures by name of the test handle
}

// tableRow is one non-empty place. Timers is the text of its last cell.
type tableRow struct {
	Level, Slot, Count int
	Timers             string
}

// reader is a function of a document that returns the tables of its lanes. It uses the page's
// documented handles only.
const reader = `(doc) => [...doc.querySelectorAll("section[data-lane]")].map((section) => ({
	ID: section.dataset.lane,
	Algorithm: section.dataset.algorithm,
	Rows: [...section.querySelectorAll("table tr[data-level]")].map((row) => ({
		Level: +row.dataset.level, Slot: +row.dataset.slot, Count: +row.dataset.count,
		Timers: row.lastElementChild.textContent.trim().replace(/\s+/g, " "),
	})),
	Totals: Object.fromEntries([...section.querySelectorAll("[data-total]")].map((e) => [e.dataset.total, e.textContent.replace(/\D/g, "")])),
	Costs: Object.fromEntries([...section.querySelectorAll("[data-cost]")].map((e) => [e.dataset.cost, e.textContent.replace(/\D/g, "")])),
}))`

// shown is the content of a document at one position.
type shown struct {
	Now, Seq string
	Lanes    []laneTable
}

// readShown is a function of a document that returns a shown.
const readShown = `(doc) => ({Now: doc.querySelector("main").dataset.now, Seq: doc.querySelector("main").dataset.seq, Lanes: (` + reader + `)(doc)})`

// shown reads the page's current content.
func (p *tab) shown() shown {
	p.Helper()
	return eval[shown](p, `(`+readShown+`)(document)`)
}

// instants returns what the page should show, derived from the run.
type instants struct {
	run   *sim.Run
	store *sim.Store
}

// instantsOf computes a scenario in the test.
func instantsOf(t testing.TB, scenario []byte) *instants {
	t.Helper()
	p, err := program.Load(scenario)
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return &instants{run, store}
}

// builtin computes a built-in scenario.
func builtin(t testing.TB, name string) *instants {
	t.Helper()
	data, ok := library.Builtin(name)
	if !ok {
		t.Fatalf("no built-in scenario is called %s", name)
	}
	return instantsOf(t, data)
}

func (s *instants) until() int64 { return s.run.Program().Until }

// last returns the number of the run's events.
func (s *instants) last(t testing.TB) int64 {
	t.Helper()
	n, err := s.run.EndSeq(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// atTick returns the content at the end of a tick.
func (s *instants) atTick(t testing.TB, tick int64) shown {
	t.Helper()
	return s.shown(t, func(ctx context.Context) (*engine.Snapshot, error) {
		return s.run.Seek(ctx, sim.EndOf(tick), namesShown)
	})
}

// atSeq returns the content immediately after an event.
func (s *instants) atSeq(t testing.TB, seq int64) shown {
	t.Helper()
	return s.shown(t, func(ctx context.Context) (*engine.Snapshot, error) {
		return s.run.Seek(ctx, sim.After(seq), namesShown)
	})
}

func (s *instants) shown(t testing.TB, snapshot func(context.Context) (*engine.Snapshot, error)) shown {
	t.Helper()
	snap, err := snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := shown{Now: strconv.FormatInt(snap.Tick, 10), Seq: strconv.FormatInt(snap.Seq, 10)}
	for i := range snap.Lanes {
		out.Lanes = append(out.Lanes, s.lane(i, &snap.Lanes[i]))
	}
	return out
}

// lane converts a lane's state to the page's text.
func (s *instants) lane(i int, l *engine.LaneSnapshot) laneTable {
	spec := &s.run.Program().Scenario.Lanes[i]
	out := laneTable{ID: spec.ID, Algorithm: spec.Algorithm, Rows: []tableRow{}}
	for _, p := range l.Places {
		var names []string
		for _, e := range p.Entries {
			names = append(names, s.run.Program().Name(e.ID))
		}
		if more := p.Count - len(names); more > 0 {
			names = append(names, fmt.Sprint("+", more))
		}
		out.Rows = append(out.Rows, tableRow{int(p.Level), int(p.Slot), p.Count, strings.Join(names, " ")})
	}
	text := func(n int64) string { return strconv.FormatInt(n, 10) }
	c := &l.Counts
	out.Totals = map[string]string{"live": text(int64(l.Live)), "fired": text(c.Expired), "cancelled": text(c.Cancelled),
		"rejected": text(c.Rejected), "early": text(c.Early), "late": text(c.Late)}
	out.Costs = map[string]string{"tick": text(l.Cost.Tick), "worst": text(l.Cost.Worst), "total": text(l.Cost.Total)}
	return out
}

// compareShown fails the test with the first difference if two contents differ.
func compareShown(t testing.TB, what string, got, want shown) {
	t.Helper()
	if difference := differ(got, want); difference != "" {
		t.Fatalf("%s: %s", what, difference)
	}
}

// differ returns the first difference between two contents, "" if they are equal.
func differ(got, want shown) string {
	if got.Now != want.Now || got.Seq != want.Seq {
		return fmt.Sprintf("shown at tick %s seq %s, want tick %s seq %s", got.Now, got.Seq, want.Now, want.Seq)
	}
	if len(got.Lanes) != len(want.Lanes) {
		return fmt.Sprintf("%d lanes are shown, want %d", len(got.Lanes), len(want.Lanes))
	}
	for i := range want.Lanes {
		g, w := &got.Lanes[i], &want.Lanes[i]
		for k := range max(len(g.Rows), len(w.Rows)) {
			if k >= len(g.Rows) || k >= len(w.Rows) || g.Rows[k] != w.Rows[k] {
				return fmt.Sprintf("seq %s, lane %s, row %d: shown %+v, want %+v", want.Seq, w.ID, k, from(g.Rows, k), from(w.Rows, k))
			}
		}
		if !reflect.DeepEqual(g, w) {
			return fmt.Sprintf("seq %s, lane %s: shown %+v, want %+v", want.Seq, w.ID, *g, *w)
		}
	}
	return ""
}

// from returns the rows from k on, at most three.
func from(rows []tableRow, k int) []tableRow {
	return rows[min(k, len(rows)):min(k+3, len(rows))]
}

// TestTableUnfoldedWhilePlaying unfolds a table during fast playback: it shows the lane's timers again.
func TestTableUnfoldedWhilePlaying(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?scenario=cascade-storm&view=stage")
	p.press(" ")
	p.wait(`+document.querySelector("main").dataset.now > 3 && document.querySelector("[data-playing]")`)
	p.run(`window.rows = () => [...document.querySelectorAll(".lane.large .places tr[data-count]")].map((row) => row.textContent).join(); window.before = rows(); document.querySelector(".lane.large .fold").open = true; document.querySelector(".lane.large .places").scrollIntoView()`)
	p.wait(`rows() !== window.before && document.querySelector("[data-playing]")`)
	p.press(" ")
	p.settle()
}
