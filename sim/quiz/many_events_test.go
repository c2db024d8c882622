package quiz

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
)

// A question about a tick with more events than are searched is graded, without reasons.
func TestTickWithManyEvents(t *testing.T) {
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	a := askerOf(t, store, plantest.Load(t, plantest.OneTick(answerEventsMax/4+1)))
	q, err := a.Offer(t.Context(), Query{Kind: KindCost, Lane: "heap"}, 49, 1)
	if err != nil {
		t.Fatal(err)
	}
	right, err := a.Answer(t.Context(), q.Query, q.At)
	if err != nil {
		t.Fatal(err)
	}
	reasons, err := a.Reasons(t.Context(), q, &right)
	if err != nil || len(reasons) != len(q.Options) {
		t.Errorf("%d reasons for %d options, %v", len(reasons), len(q.Options), err)
	}
}
