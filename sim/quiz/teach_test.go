package quiz

import (
	"errors"
	"slices"
	"testing"
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
				checkAsked(t, a, q)
			}
		}
		if len(seen) != 20 || len(kinds) < min(4, len(offered)) {
			t.Errorf("%s: %d questions of the kinds %v; offered are %v", scenario, len(seen), kinds, offered)
		}
		t.Logf("%s: %v", scenario, kinds)
	}
}
