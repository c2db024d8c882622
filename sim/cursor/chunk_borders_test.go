//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package cursor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
	"pgregory.net/rapid"
)

// manyEventsAtRandom returns a random scenario with many events in a few ticks, in lanes of different
// structures.
func manyEventsAtRandom(r *rand.Rand) string {
	all := []string{`"simple","slots":8`, `"simple","slots":4,"overflow":"list"`, `"rounds","slots":3`, `"rounds","slots":3,"variant":"naive","width":2`,
		`"hierarchical","slots":3`, `"hierarchical","slots":3,"levels":4,"migration":"none"`, `"sorted"`, `"heap"`, `"heap","arity":4`,
		`"calendar"`, `"tokio"`, `"linux"`, `"kafka"`, `"netty","slots":4,"width":2`, `"redis"`}
	var lanes, groups []string
	for k := range 2 + r.IntN(3) {
		lanes = append(lanes, fmt.Sprintf(`{"id":"l%d","algorithm":%s}`, k, all[r.IntN(len(all))]))
	}
	for k := range 1 + r.IntN(2) {
		delay := []string{`{"dist":"constant","value":11}`, `{"dist":"uniform","min":0,"max":25}`, `{"dist":"constant","value":0}`}[r.IntN(3)]
		groups = append(groups, fmt.Sprintf(`{"prefix":"g%d-","seed":%d,"count":%d,"arrivals":{"dist":"constant","value":%d},"delay":%s,
			"cancel":{"fraction":0.3,"after":{"dist":"uniform","min":0,"max":12}}}`, k, r.IntN(99), 5+r.IntN(15), k, delay))
	}
	return fmt.Sprintf(`{"wheelscope":1,"until":40,"start":%d,"lanes":[%s],"workload":{"ops":[{"at":3,"op":"schedule","timer":"beat","delay":1,"every":2,"times":4},
		{"at":3,"op":"clock","by":5},{"at":3,"op":"set","timer":"t1","delay":2},{"at":3,"op":"cancel","timer":"beat"},{"at":8,"op":"stall","for":5}],"generate":[%s]}}`,
		r.IntN(2)*17, strings.Join(lanes, ","), strings.Join(groups, ","))
}

// twoRuns holds two runs of one program, one with a single chunk and one with many small chunks.
type twoRuns struct {
	*rapid.T
	ctx         context.Context
	whole, many *sim.Run
	last        int64
}

func (t *twoRuns) same(what string, want, got any, wantErr, gotErr error) {
	t.Helper()
	if fmt.Sprint(wantErr) != fmt.Sprint(gotErr) {
		t.Fatalf("%s: error %v in small chunks, %v in one", what, gotErr, wantErr)
	}
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("%s: in small chunks\n%+v\nin one\n%+v", what, got, want)
	}
}

// sameRange is same for two ranges of events, which may be in different chunks.
func (t *twoRuns) sameRange(what string, want, got *sim.EventRange, wantErr, gotErr error) {
	t.Helper()
	if want != nil && got != nil {
		want.Chunk, got.Chunk = nil, nil
	}
	t.same(what, want, got, wantErr, gotErr)
}

// TestBordersDoNotShow checks that the results of a run do not depend on the borders of its
// chunks.
func TestBordersDoNotShow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rnd := rand.New(rand.NewPCG(rapid.Uint64Range(0, 1<<20).Draw(rt, "seed"), 3))
		text := manyEventsAtRandom(rnd)
		if rapid.IntRange(0, 3).Draw(rt, "stalled") == 3 {
			text = stalledAtRandom(rnd)
		}
		p, err := program.Load([]byte(text))
		if err != nil {
			rt.Fatal(err, text)
		}
		size := rapid.SampledFrom([]int64{1, 2, 3, 7, 40, 150}).Draw(rt, "events of a chunk")
		c := &twoRuns{T: rt, ctx: t.Context()}
		huge := sim.Sizes{ChunkEvents: 1 << 40, ChunkWork: 1 << 40, CheckpointCost: 1 << 40, CheckpointBytes: 1 << 30, WorkMax: 1 << 40, SliceTicks: 1 << 20}
		small := sim.Sizes{ChunkEvents: size, ChunkWork: 1 << rapid.IntRange(4, 20).Draw(rt, "work"), CheckpointCost: 50, CheckpointBytes: 300 << 10, WorkMax: 1 << 40, SliceTicks: 5}
		for _, o := range []struct {
			run   **sim.Run
			sizes sim.Sizes
		}{{&c.whole, huge}, {&c.many, small}} {
			s := sim.NewStore(sim.StoreOptions{Sizes: o.sizes})
			defer s.Close()
			if *o.run, err = s.Open(t.Context(), p); err != nil {
				rt.Fatal(err)
			}
			if c.last, err = (*o.run).EndSeq(c.ctx); err != nil {
				rt.Fatal(err)
			}
		}
		borders, _, _ := c.many.Borders()
		for k := range borders[1:] {
			from, to := c.many.BordersOf(k)
			if to.Seq-from.Seq > size { // a single tick, possibly after ticks without events
				if seq, err := c.whole.SeqAt(c.ctx, to.Tick-1); err != nil || seq != from.Seq {
					rt.Fatalf("chunk %d has %d events, at most %d are allowed (%v)\n%s", k, to.Seq-from.Seq, size, err, text)
				}
			}
		}
		c.Logf("%s", text)
		c.jumps(rnd) // while no chunk is cached
		c.events()
		c.ticks()
		c.stretches(rnd)
		c.searches(rnd)
	})
}

// events compares everything that can be queried for each event.
func (t *twoRuns) events() {
	for seq := int64(0); seq <= t.last+1; seq++ {
		at := fmt.Sprint("event ", seq)
		if seq <= t.last && seq%3 == t.last%3 {
			t.seek(seq)
		}
		tickA, errA := t.whole.TickOf(t.ctx, seq)
		tickB, errB := t.many.TickOf(t.ctx, seq)
		t.same("TickOf "+at, tickA, tickB, errA, errB)
		for _, n := range []int64{1, 3, -1, -3} {
			endA, errA := t.whole.Steps(t.ctx, seq, n)
			endB, errB := t.many.Steps(t.ctx, seq, n)
			t.same(fmt.Sprint(n, " steps from ", at), endA, endB, errA, errB)
		}
		lastA, errA := t.whole.LastStep(t.ctx, nil, seq, 9)
		lastB, errB := t.many.LastStep(t.ctx, nil, seq, 9)
		t.sameRange("LastStep "+at, lastA, lastB, errA, errB)
		lastA, errA = t.whole.Recent(t.ctx, seq, 5)
		lastB, errB = t.many.Recent(t.ctx, seq, 5)
		t.sameRange("Recent "+at, lastA, lastB, errA, errB)
		lastA, errA = t.whole.StepFrom(t.ctx, seq, 6)
		lastB, errB = t.many.StepFrom(t.ctx, seq, 6)
		t.sameRange("StepFrom "+at, lastA, lastB, errA, errB)
		if step, steps := t.many.StepNumber(t.ctx, nil, min(seq, t.last)); steps >= 0 {
			wantStep, wantSteps := t.whole.StepNumber(t.ctx, nil, min(seq, t.last))
			t.same("StepNumber "+at, []int64{wantStep, wantSteps}, []int64{step, steps}, nil, nil)
		}
	}
}

func (t *twoRuns) seek(seq int64) {
	a, errA := t.whole.Seek(t.ctx, sim.After(seq), wheel.AllEntries)
	b, errB := t.many.Seek(t.ctx, sim.After(seq), wheel.AllEntries)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	plantest.SameSnapshot(t, fmt.Sprint("event ", seq), b, a)
}

// jumps compares the states that are computed together with a chunk with those of a seek.
func (t *twoRuns) jumps(rnd *rand.Rand) {
	all := func([]*engine.Lane) int { return wheel.AllEntries }
	for range 20 {
		tick := rnd.Int64N(t.whole.Program().Until + 1)
		a, errA := t.whole.Seek(t.ctx, sim.EndOf(tick), wheel.AllEntries)
		b, errB := t.many.SeekWithChunk(t.ctx, tick, all)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		plantest.SameSnapshot(t, fmt.Sprint("jump to tick ", tick), b, a)
	}
}

// ticks compares everything that can be queried for each tick and each timer.
func (t *twoRuns) ticks() {
	for tick := int64(-1); tick <= t.whole.Program().Until; tick++ {
		at := fmt.Sprint("tick ", tick)
		seqA, errA := t.whole.SeqAt(t.ctx, tick)
		seqB, errB := t.many.SeqAt(t.ctx, tick)
		t.same("SeqAt "+at, seqA, seqB, errA, errB)
		costsA, errA := t.whole.Costs(t.ctx, sim.EndOf(tick))
		costsB, errB := t.many.Costs(t.ctx, sim.EndOf(tick))
		t.same("CostsAfter "+at, costsA, costsB, errA, errB)
		if tick < 0 {
			continue
		}
		a, errA := t.whole.Seek(t.ctx, sim.EndOf(tick), wheel.AllEntries)
		b, errB := t.many.Seek(t.ctx, sim.EndOf(tick), wheel.AllEntries)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		plantest.SameSnapshot(t, at, b, a)
	}
	for id := range uint32(t.whole.Program().Timers() + 2) {
		lifeA, errA := TimerHistoryOf(t.ctx, t.whole, id, 30)
		lifeB, errB := TimerHistoryOf(t.ctx, t.many, id, 30)
		t.same(fmt.Sprint("TimerHistoryOf ", id), lifeA, lifeB, errA, errB)
	}
}

// stretches compares the ranges between two events, or between an event and a tick.
func (t *twoRuns) stretches(rnd *rand.Rand) {
	for range 60 {
		from := rnd.Int64N(t.last + 1)
		to := from + rnd.Int64N(t.last+1-from)
		at := fmt.Sprintf("events %d to %d", from, to)
		a, errA := t.whole.EventRange(t.ctx, from, sim.After(to), 50)
		b, errB := t.many.EventRange(t.ctx, from, sim.After(to), 50)
		t.sameRange("EventRange "+at, a, b, errA, errB)
		if errA != nil && !errors.Is(errA, sim.ErrTooMany) {
			t.Fatal(errA)
		}
		tick := rnd.Int64N(t.whole.Program().Until + 1)
		a, errA = t.whole.EventRange(t.ctx, from, sim.EndOf(tick), 80)
		b, errB = t.many.EventRange(t.ctx, from, sim.EndOf(tick), 80)
		t.sameRange(fmt.Sprintf("EventRange %d to tick %d", from, tick), a, b, errA, errB)
	}
}

// searches compares all searches, in both directions, from events and from the ends of ticks.
func (t *twoRuns) searches(rnd *rand.Rand) {
	for range 4 {
		seq := rnd.Int64N(t.last + 1)
		tick, err := t.whole.TickOf(t.ctx, seq)
		if err != nil {
			t.Fatal(err)
		}
		whole := rnd.IntN(3) == 0
		if whole {
			tick += rnd.Int64N(t.whole.Program().Until + 1 - tick)
			if seq, err = t.whole.SeqAt(t.ctx, tick); err != nil {
				t.Fatal(err)
			}
		}
		to := sim.After(seq)
		if whole {
			to = sim.EndOf(tick)
		}
		from, err := t.whole.Locate(t.ctx, to)
		if err != nil {
			t.Fatal(err)
		}
		for what := ConditionExpire; what <= ConditionDiffer; what++ {
			w := Query{Condition: what, Lane: rnd.IntN(len(t.whole.Program().Scenario.Lanes)+1) - 1, Over: rnd.Int64N(9)}
			if n := t.whole.Program().Timers(); n > 0 {
				w.Timer = t.whole.Program().Name(1 + uint32(rnd.IntN(n)))
			} else if what == ConditionTimer {
				continue
			}
			for _, forward := range []bool{true, false} {
				want, ok := t.find(t.whole, w, from, forward)
				got, gotOK := t.find(t.many, w, from, forward)
				t.same(fmt.Sprintf("search for %+v from %+v, forward %v", w, from, forward), []any{want, ok}, []any{got, gotOK}, nil, nil)
			}
		}
	}
}

func (t *twoRuns) find(r *sim.Run, w Query, from sim.Position, forward bool) (sim.Position, bool) {
	s, err := newSearch(r, w, from, forward)
	if err != nil {
		t.Fatal(err)
	}
	for {
		at, state, err := s.nextPart(t.ctx)
		if err != nil || state == partLater {
			t.Fatal(state, err)
		}
		if state != partMore {
			return at, state == partFound
		}
	}
}
