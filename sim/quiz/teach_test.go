package quiz

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/static"
)

// TestTwentyQuestions asks a student twenty questions in a row, four at each cursor: none repeats, the
// kinds vary, and each wrong option has its own reason with numbers of the run.
func TestTwentyQuestions(t *testing.T) {
	g := newFixture(t)
	for scenario, from := range map[string]int64{
		"three-slots": -1, "reach": 0, "crowded-slot": 20, "migration": 0, "ten-slots": 0, "rounds-off-by-one": -1, "lateness": 1, "kafka-ranges": 0, "netty-mask": 0,
	} {
		a := g.quiz(scenario)
		var seen []string
		kinds, offered := map[Kind]int{}, map[Kind]bool{}
		for tick := from; len(seen) < 20 && tick <= a.Run.Program().Until; tick++ {
			snap, err := a.stateAt(g.ctx, max(tick, 0), predictShown)
			if err != nil {
				t.Fatal(err)
			}
			for kind := range a.queries(snap, tick) {
				offered[kind] = true
			}
			for n := 0; n < 4 && len(seen) < 20; n++ {
				q, err := a.Predict(g.ctx, tick, 7, len(seen), seen)
				if errors.Is(err, ErrNoAnswer) {
					break
				}
				if err != nil {
					t.Fatalf("%s at %d: %v", scenario, tick, err)
				}
				if slices.Contains(seen, q.ID) {
					t.Errorf("%s at %d: %s is asked again", scenario, tick, q.ID)
				}
				seen = append(seen, q.ID)
				kinds[q.Kind]++
				checkReasons(t, a, q)
			}
		}
		if len(seen) != 20 || len(kinds) < min(4, len(offered)) {
			t.Errorf("%s: %d questions of the kinds %v; offered are %v", scenario, len(seen), kinds, offered)
		}
		t.Logf("%s: %v", scenario, kinds)
	}
}

var numbers = regexp.MustCompile(`\d`)

// checkReasons checks that each wrong option of q has its own reason, a whole sentence with numbers in
// both languages, and that the right one has none unless q asks for timers.
func checkReasons(t *testing.T, a *Quiz, q *Question) {
	t.Helper()
	right, err := a.Answer(t.Context(), q.Query, q.At)
	if err != nil {
		t.Fatal(err)
	}
	reasons, err := a.Reasons(t.Context(), q, &right)
	if err != nil {
		t.Fatalf("%s of %s at %d: %v", q.Kind, q.Lane, q.At, err)
	}
	for _, lang := range static.Languages {
		said := map[string]string{}
		for i, m := range reasons {
			option := q.Options[i]
			if !q.Many && slices.Contains(right.Values, option) {
				if m.Key != "" {
					t.Errorf("%s: the right option %s has the reason %v", q.Kind, option, m)
				}
				continue
			}
			text := static.Messages(lang).Say(m)
			if other, ok := said[text]; ok {
				t.Errorf("%s of %s at %d: %s and %s have the reason %q", q.Kind, q.Lane, q.At, option, other, text)
			}
			if said[text] = option; !numbers.MatchString(text) || strings.ContainsAny(text, "{}") || strings.Contains(text, "quiz.") {
				t.Errorf("%s of %s at %d: %s because %q", q.Kind, q.Lane, q.At, option, text)
			}
		}
	}
}
