package quiz

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/wheel"
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

// checkAsked checks a question: the options of each choice are distinct and include the right answer and a wrong one,
// each wrong option has its own reason, a whole sentence with numbers in both languages, and the answer is not before
// the position at which the question is asked.
func checkAsked(t *testing.T, a *Quiz, q *Asked) {
	t.Helper()
	choices := []Choice{q.Choice}
	if q.Kind == KindSlot {
		choices = nil
		for _, target := range q.Targets {
			choices = append(choices, target.Choice)
		}
	}
	if len(q.Targets) == 0 || len(choices) == 0 {
		t.Fatalf("%s at %d: no lane", q.Kind, q.At)
	}
	for i := range choices {
		checkChoice(t, q, &choices[i])
	}
	if !a.wholeRun(q.Kind) && (q.See.Seq > 0 && q.See.Seq <= q.From.Seq || q.See.Tick < q.From.Tick) {
		t.Errorf("%s: asked at %v, the answer is at %v", q.Kind, q.From, q.See)
	}
	if (q.Kind == KindRounds || q.Kind == KindWhen) && q.From.Tick >= 0 && a.Run.Program().Name(q.About) != q.Timer {
		t.Errorf("%s of %s at %d is about timer %d", q.Kind, q.Timer, q.From.Tick, q.About)
	}
	if q.From.Seq > 0 {
		recs, _, err := a.events(t.Context(), q.Op.At-1, q.Op.At)
		if err != nil {
			t.Fatal(err)
		}
		from, err := a.Run.SeqAt(t.Context(), q.Op.At-1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range recs[:q.From.Seq-from] {
			if r := &recs[i]; r.ID == q.Op.ID && r.Kind != wheel.KindExpire {
				t.Errorf("%s: event %d is before the question", q.Timer, from+1+int64(i))
			}
		}
	}
}

func checkChoice(t *testing.T, q *Asked, c *Choice) {
	t.Helper()
	if len(c.Options) < 2 || len(c.Options) > optionsMax {
		t.Errorf("%s at %d: the options %v", q.Kind, q.At, c.Options)
	}
	if sorted := slices.Sorted(slices.Values(c.Options)); len(slices.Compact(sorted)) != len(c.Options) {
		t.Errorf("%v: an option is given twice", c.Options)
	}
	if !slices.Contains(c.Options, c.Answer.Value) {
		t.Errorf("%s: the right answer %q is not among %v", q.Kind, c.Answer.Value, c.Options)
	}
	for _, lang := range static.Languages {
		said := map[string]string{}
		for i, m := range c.Reasons {
			option := c.Options[i]
			if option == c.Answer.Value {
				if m.Key != "" {
					t.Errorf("%s: the right option %s has the reason %v", q.Kind, option, m)
				}
				continue
			}
			text := static.Messages(lang).Say(m)
			if other, ok := said[text]; ok {
				t.Errorf("%s at %d: %s and %s have the reason %q", q.Kind, q.At, option, other, text)
			}
			if said[text] = option; !numbers.MatchString(text) || strings.ContainsAny(text, "{}") || strings.Contains(text, "quiz.") {
				t.Errorf("%s at %d: %s because %q", q.Kind, q.At, option, text)
			}
		}
	}
}

var numbers = regexp.MustCompile(`\d`)
