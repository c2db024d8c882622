package quiz

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
)

// fixture opens built-in scenarios, each only once.
type fixture struct {
	t     *testing.T
	store *sim.Store
	ctx   context.Context
	made  map[string]*Quiz
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return &fixture{t, store, ctx, map[string]*Quiz{}}
}

func (g *fixture) quiz(name string) *Quiz {
	g.t.Helper()
	if a := g.made[name]; a != nil {
		return a
	}
	data, ok := library.Builtin(name)
	if !ok {
		g.t.Fatalf("%s is no built-in scenario", name)
	}
	a := askerOf(g.t, g.store, plantest.Load(g.t, string(data)))
	g.made[name] = a
	return a
}

// askerOf returns a Quiz for the run of a program. The run is computed only once.
func askerOf(t *testing.T, store *sim.Store, p *program.Program) *Quiz {
	t.Helper()
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var rows []engine.LaneResult
	return &Quiz{Run: run, Results: func(ctx context.Context) ([]engine.LaneResult, error) {
		if rows == nil {
			if rows, err = compare.Lanes(ctx, p, nil); err != nil {
				return nil, err
			}
		}
		return rows, nil
	}}
}

// checkOffer checks that the options of a question are distinct and include the correct answer and
// a wrong one.
func checkOffer(t *testing.T, q *Question, right *Answer) {
	t.Helper()
	if len(q.Options) < 2 && !q.Many || len(q.Options) == 0 {
		t.Errorf("%v: nothing to choose from", q.Options)
	}
	if sorted := slices.Sorted(slices.Values(q.Options)); len(slices.Compact(sorted)) != len(q.Options) {
		t.Errorf("%v: an option is given twice", q.Options)
	}
	for _, v := range right.Values {
		if !slices.Contains(q.Options, v) {
			t.Errorf("%v: the right answer %q is not offered", q.Options, v)
		}
	}
	if !q.Many && len(right.Values) != 1 {
		t.Errorf("%v is no single answer", right.Values)
	}
	if !right.Grade(right.Values) {
		t.Errorf("%v is not taken for right", right.Values)
	}
	for _, v := range q.Options {
		if wrong := []string{v}; !q.Many && v != right.Values[0] && right.Grade(wrong) {
			t.Errorf("%q is taken for right", v)
		}
	}
}
