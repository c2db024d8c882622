package quiz

import (
	"errors"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/wheel"
)

// TestAnswers compares answers about three-slots with results computed by hand.
func TestAnswers(t *testing.T) {
	g := newFixture(t)
	a := g.quiz("three-slots")
	for _, c := range []struct {
		ask  Query
		tick int64
		want string
		see  int64
	}{
		{Query{Kind: KindSlot, Lane: "rounds", Timer: "task2"}, -1, "0:1", 0},        // 4 mod 3
		{Query{Kind: KindSlot, Lane: "hierarchical", Timer: "task2"}, -1, "1:1", 0},  // ⌊4 / 3⌋ mod 3
		{Query{Kind: KindSlot, Lane: "simple", Timer: "task2"}, -1, AnswerReject, 0}, // 4 > 2
		{Query{Kind: KindSlot, Lane: "rounds", Timer: "task5"}, 2, "0:2", 3},         // 5 mod 3
		{Query{Kind: KindRounds, Lane: "rounds", Timer: "task2"}, 0, "1", 0},         // (4 − 1) div 3
		{Query{Kind: KindRounds, Lane: "rounds", Timer: "task2"}, 1, "0", 1},         // the hand passed
		{Query{Kind: KindWhen, Lane: "heap", Timer: "task5"}, 3, "5", 5},
		{Query{Kind: KindWhen, Lane: "heap", Timer: "task4"}, 3, AnswerNever, 14}, // cancelled at 4
		{Query{Kind: KindMoves, Lane: "hierarchical"}, 2, "1", 3},                 // task2
		{Query{Kind: KindMoves, Lane: "hierarchical"}, 0, "0", 1},
		{Query{Kind: KindFires, Lane: "sorted"}, 1, "1", 2}, // task1
		{Query{Kind: KindLive, Lane: "sorted"}, 2, "3", 2},  // task2, task3, task4
		{Query{Kind: KindRejected, Lane: "simple"}, 0, "3", 14},
		{Query{Kind: KindFired, Lane: "heap"}, 0, "6", 14},
		{Query{Kind: KindLate, Lane: "heap"}, 0, "0", 14},
	} {
		got, err := a.Answer(g.ctx, c.ask, c.tick)
		if err != nil || got.Value != c.want || got.See != c.see {
			t.Errorf("%+v at %d: %+v, %v; want %v, seen at %d", c.ask, c.tick, got, err, c.want, c.see)
		}
	}
}

func TestAnswersWithStart(t *testing.T) {
	g := newFixture(t)
	a := g.quiz("paper-clock") // starts at 987870 = day 11, 10:24:30
	got, err := a.Answer(g.ctx, Query{Kind: KindSlot, Lane: "digits", Timer: "alarm"}, -1)
	if err != nil || got.Value != "2:11" {
		t.Errorf("%v, %v: the alarm waits in hour slot 11", got, err)
	}
	got, err = a.Answer(g.ctx, Query{Kind: KindWhen, Lane: "digits", Timer: "alarm"}, 0)
	if err != nil || got.Value != "3045" {
		t.Errorf("%v, %v: the alarm is due at 3045", got, err)
	}
}

func TestQuestionsOfManyRuns(t *testing.T) {
	g := newFixture(t)
	a := g.quiz("cascade-storm")
	for kind, want := range map[Kind]string{KindCostliest: "heap", KindCheapest: "levels-of-64", KindLowestWorst: "rounds", KindHighestWorst: "levels-of-16"} {
		if got, err := a.Answer(g.ctx, Query{Kind: kind}, 0); err != nil || got.Value != want {
			t.Errorf("%s: %v, %v; want %s", kind, got, err, want)
		}
	}
	two := askerOf(t, g.store, plantest.Load(t, `{"wheelscope":1,"until":9,"lanes":[{"algorithm":"simple","slots":4},{"id":"b","algorithm":"simple","slots":4}],"workload":{}}`))
	if got, err := two.Answer(g.ctx, Query{Kind: KindCheapest}, 0); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("%v, %v: two lanes that are alike have a first", got, err)
	}
}

func TestAnswersRefuse(t *testing.T) {
	g := newFixture(t)
	a := g.quiz("three-slots")
	for _, c := range []struct {
		ask  Query
		tick int64
	}{
		{Query{Kind: "guess", Lane: "rounds"}, 0},
		{Query{Kind: KindCost, Lane: "nope"}, 0},
		{Query{Kind: KindCost, Lane: "rounds"}, 15},
		{Query{Kind: KindCost, Lane: "rounds"}, -2},
		{Query{Kind: KindCost, Lane: "rounds"}, 14}, // no tick follows the end
		{Query{Kind: KindFires, Lane: "rounds"}, 14},
		{Query{Kind: KindSlot, Lane: "rounds", Timer: "task2"}, 5}, // scheduled before
		{Query{Kind: KindRounds, Lane: "heap", Timer: "task2"}, 0},
		{Query{Kind: KindWhen, Lane: "rounds", Timer: "absent"}, 0},
	} {
		if got, err := a.Answer(g.ctx, c.ask, c.tick); err == nil {
			t.Errorf("%+v at %d is answered: %v", c.ask, c.tick, got)
		}
	}
}

// A question about a timer that is overdue and never fires has options to choose from.
func TestWhenAnOverdueTimerFires(t *testing.T) {
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	a := askerOf(t, store, plantest.Load(t, `{"wheelscope":1,"name":"overdue","until":60,"lanes":[{"algorithm":"rounds","slots":4,"width":40}],
 "workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":3},{"at":20,"op":"cancel","timer":"a"}]}}`))
	for tick := range int64(19) {
		q, err := a.Offer(t.Context(), Query{Kind: KindWhen, Lane: "rounds", Timer: "a"}, tick, 1)
		if err != nil || len(q.Options) != optionsMax || q.Options[optionsMax-1] != AnswerNever {
			t.Errorf("at %d: %v %v", tick, q, err)
		}
	}
}

// A question about a timer that Predict has shown does not copy the timers of crowded slots.
func TestFindCopiesFewTimers(t *testing.T) {
	a := newFixture(t).quiz("hundred-thousand")
	snap, err := a.stateAt(t.Context(), 2000, predictShown)
	if err != nil {
		t.Fatal(err)
	}
	lane := slices.IndexFunc(snap.Lanes, func(l engine.LaneSnapshot) bool {
		return slices.ContainsFunc(l.Places, func(p wheel.Place) bool { return p.Count > 10*predictShown })
	})
	if lane < 0 {
		t.Fatal("no slot is crowded")
	}
	k := slices.IndexFunc(snap.Lanes[lane].Places, func(p wheel.Place) bool { return p.Count > 10*predictShown })
	crowded := &snap.Lanes[lane].Places[k]
	place, entry, err := a.find(t.Context(), Query{id: crowded.Entries[0].ID}, 2000, lane)
	if err != nil || entry == nil || place.Level != crowded.Level || place.Slot != crowded.Slot || len(place.Entries) > predictShown {
		t.Errorf("%v %v %v: want a state with at most %d timers of each place", place, entry, err, predictShown)
	}
}
