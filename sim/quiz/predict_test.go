package quiz

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// TestPredictions checks that every question at a cursor has an answer that a run from there
// confirms, and that every kind occurs.
func TestPredictions(t *testing.T) {
	g := newFixture(t)
	seen := map[Kind]int{}
	for _, name := range []string{"three-slots", "reach", "crowded-slot", "migration", "rounds-off-by-one"} {
		a := g.quiz(name)
		until := a.Run.Program().Until
		for tick := int64(-1); tick <= min(until, 40); tick++ {
			for n := range 3 {
				q, err := a.Predict(g.ctx, tick, 11, n, nil)
				if errors.Is(err, ErrNoAnswer) {
					continue
				}
				if err != nil {
					t.Fatalf("%s at %d: %v", name, tick, err)
				}
				seen[q.Kind]++
				checkAsked(t, a, q)
				if q.Kind != KindSlot {
					confirm(t, a.Run.Program(), q.Question, q.Answer)
					continue
				}
				for _, target := range q.Targets {
					one := *q.Question
					one.Lane = target.Lane
					confirm(t, a.Run.Program(), &one, target.Answer)
				}
			}
		}
	}
	for _, kind := range []Kind{KindSlot, KindRounds, KindWhen, KindMoves, KindFires, KindCost, KindLive, KindNextCostliest} {
		if seen[kind] < 3 {
			t.Errorf("%s was asked %d times: %v", kind, seen[kind], seen)
		}
	}
}

// confirm runs a separate engine tick by tick and checks that the answer occurs.
func confirm(t *testing.T, p *program.Program, q *Question, right Answer) {
	t.Helper()
	eng := plantest.Engine(t, p)
	lane := slices.IndexFunc(p.Scenario.Lanes, func(l scenario.LaneSpec) bool { return l.ID == q.Lane })
	got := []string{}
	for tick := int64(0); tick <= p.Until; tick++ {
		recs := eng.Tick(tick, nil)
		if q.Kind == KindRounds && tick == max(q.At, 0) {
			got = roundsIn(eng, lane, q.id)
		}
		switch {
		case tick == q.At+1 && q.Kind == KindCost:
			got = []string{strconv.FormatInt(eng.Lane(lane).TickCost(), 10)}
		case tick == q.At && q.Kind == KindLive:
			got = []string{strconv.FormatInt(int64(eng.Snapshot(0).Lanes[lane].Live), 10)}
		case tick == q.At+1 && q.Kind == KindNextCostliest:
			got = costliestIn(eng, p)
		}
		if tick <= q.At {
			continue
		}
		for i := range recs {
			if r := &recs[i]; int(r.Lane) == lane {
				got = append(got, witness(p, q, r)...)
			}
		}
	}
	switch {
	case q.Kind == KindWhen && len(got) > 1, q.Kind == KindSlot && len(got) > 1:
		got = got[:1]
	case q.Kind == KindWhen && len(got) == 0:
		got = []string{AnswerNever}
	case q.Kind == KindMoves, q.Kind == KindFires:
		slices.Sort(got)
		got = []string{strconv.Itoa(len(slices.Compact(got)))}
	}
	if len(got) != 1 || got[0] != right.Value {
		t.Errorf("%s at %d, %s of %s %q: the answer is %v, the engine went on to %v", p.Scenario.Name, q.At, q.Kind, q.Lane, q.Timer, right.Value, got)
	}
}

// costliestIn returns the ids of the lanes with the highest cost in the engine's tick.
func costliestIn(eng *engine.Engine, p *program.Program) (ids []string) {
	var most int64
	for i := range p.Scenario.Lanes {
		switch cost := eng.Lane(i).TickCost(); {
		case cost > most:
			most, ids = cost, []string{p.Scenario.Lanes[i].ID}
		case cost == most:
			ids = append(ids, p.Scenario.Lanes[i].ID)
		}
	}
	return ids
}

// witness returns the answer to a question that an event after the cursor shows, or nil.
func witness(p *program.Program, q *Question, r *engine.Record) []string {
	switch {
	case q.Kind == KindSlot && r.ID == q.id && r.Kind == wheel.KindPlace:
		return []string{strconv.Itoa(int(r.ToLevel)) + ":" + strconv.Itoa(int(r.ToSlot))}
	case q.Kind == KindSlot && r.ID == q.id && r.Kind == wheel.KindReject:
		return []string{AnswerReject}
	case q.Kind == KindSlot && r.ID == q.id && r.Kind == wheel.KindExpire:
		return []string{AnswerAtOnce}
	case q.Kind == KindWhen && r.ID == q.id && r.Kind == wheel.KindExpire:
		return []string{strconv.FormatInt(r.Tick, 10)}
	case q.Kind == KindMoves && r.Tick == q.At+1 && r.Kind == wheel.KindCascade, q.Kind == KindFires && r.Tick == q.At+1 && r.Kind == wheel.KindExpire:
		return []string{strconv.Itoa(int(r.ID))}
	}
	return nil
}

func roundsIn(eng *engine.Engine, lane int, id uint32) []string {
	snap := eng.Snapshot(wheel.AllEntries)
	for _, place := range snap.Lanes[lane].Places {
		for _, e := range place.Entries {
			if e.ID == id {
				return []string{strconv.FormatInt(e.Rounds, 10)}
			}
		}
	}
	return nil
}

// TestPredictionsFollowTheSeed checks that a student's questions are reproducible and differ from
// another student's.
func TestPredictionsFollowTheSeed(t *testing.T) {
	g := newFixture(t)
	a := g.quiz("crowded-slot")
	list := func(seed uint64) (all []*Asked) {
		for n := range 12 {
			q, err := a.Predict(g.ctx, 25, seed, n, nil)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, q)
		}
		return all
	}
	if !reflect.DeepEqual(list(1), list(1)) {
		t.Error("the same seed asks something else")
	}
	if reflect.DeepEqual(list(1), list(2)) {
		t.Error("another seed asks the same")
	}
}

func TestNothingToPredict(t *testing.T) {
	g := newFixture(t)
	a := g.quiz("three-slots")
	for _, tick := range []int64{a.Run.Program().Until, -2, 99} {
		if q, err := a.Predict(g.ctx, tick, 1, 0, nil); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("at %d: %+v, %v", tick, q, err)
		}
	}
}

func TestComparePlaces(t *testing.T) {
	places := []string{AnswerReject, "1:2", "0:10", "0:9", "-1:0"}
	if slices.SortFunc(places, comparePlaces); !slices.Equal(places, []string{"-1:0", "0:9", "0:10", "1:2", AnswerReject}) {
		t.Error(places)
	}
}
