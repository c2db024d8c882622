package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// TestDrivenLanesSeekAnywhere checks that a seek to any position agrees with a run tick by tick
// from the start, across stalls, jumps of the wall clock and the death of a lane.
func TestDrivenLanesSeekAnywhere(t *testing.T) {
	p := plantest.Load(t, plantest.Driven)
	want := plantest.RunStraight(t, p)
	_, r := openRun(t, p)
	for k := int64(0); k <= p.Until; k++ {
		tick := k * 37 % (p.Until + 1)
		got, err := r.Seek(t.Context(), EndOf(tick), wheel.AllEntries)
		if err != nil {
			t.Fatal(err)
		}
		plantest.SameSnapshot(t, fmt.Sprint("tick ", tick), got, want.States[tick])
	}
	for seq := range want.Records {
		at := want.Records[seq].Tick
		got, err := r.Seek(t.Context(), After(int64(seq+1)), wheel.AllEntries)
		if err != nil {
			t.Fatalf("event %d: %v", seq+1, err)
		}
		for i := range got.Lanes {
			if clock := want.States[at].Lanes[i].Cost.Clock; got.Lanes[i].Cost.Clock != clock {
				t.Fatalf("event %d: the clock of lane %d is at %d, want %d as at the end of the tick", seq+1, i, got.Lanes[i].Cost.Clock, clock)
			}
		}
		if last := seq+1 == len(want.Records) || want.Records[seq+1].Tick > at; last {
			plantest.SameSnapshot(t, fmt.Sprint("event ", seq+1), got, want.States[at])
		}
	}
}

// recordsOf returns a lane's records, without the fields that depend on the other lanes.
func recordsOf(p *program.Program, recs []engine.Record, id string) (own []engine.Record) {
	for _, r := range recs {
		if p.Scenario.Lanes[r.Lane].ID == id {
			r.Lane = 0
			own = append(own, r)
		}
	}
	return own
}

// TestDeadLaneHarmsNoOther checks that the other lanes emit the same events as when run alone.
func TestDeadLaneHarmsNoOther(t *testing.T) {
	together := plantest.Load(t, plantest.Driven)
	all := plantest.RunStraight(t, together)
	for _, spec := range together.Scenario.Lanes {
		s := *together.Scenario
		s.Lanes = []scenario.LaneSpec{spec}
		alone, err := program.Plan(&s)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := recordsOf(together, all.Records, spec.ID), recordsOf(alone, plantest.RunStraight(t, alone).Records, spec.ID); !slices.Equal(got, want) {
			t.Errorf("%s emits %d records beside the others, %d alone", spec.ID, len(got), len(want))
		}
	}
}

// TestFindingsAreCounted checks that the timeline counts the findings.
func TestFindingsAreCounted(t *testing.T) {
	p := plantest.Load(t, plantest.Driven)
	want := make([]int64, len(p.Scenario.Lanes))
	records := plantest.RunStraight(t, p).Records
	for _, r := range records {
		if r.Kind == wheel.KindFinding {
			want[r.Lane]++
		}
	}
	_, r := openRun(t, p)
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	line := r.Timeline()
	for i, n := range want {
		var sum int64
		for _, k := range line.Lanes[i].Finding {
			sum += k
		}
		if sum != n {
			t.Errorf("lane %d: %d findings in the timeline, %d emitted", i, sum, n)
		}
	}
	if want[0] == 0 || want[1] == 0 || want[2] != 0 || want[4] != 0 {
		t.Errorf("findings %v", want)
	}
	for _, rec := range records {
		if k := rec.Tick / line.Bucket; rec.Kind == wheel.KindFinding && line.Lanes[rec.Lane].Finding[k] == 0 {
			t.Errorf("the timeline shows no finding at tick %d", rec.Tick)
		}
	}
}

// TestOwnClocks checks that a published lane loses ticks in a stall, so that its clock stays
// behind while the others catch up. The clock of a dead lane stops.
func TestOwnClocks(t *testing.T) {
	states := plantest.RunStraight(t, plantest.Load(t, plantest.Driven)).States
	clocks := func(tick int) (all []int64) {
		for i := range states[tick].Lanes {
			all = append(all, states[tick].Lanes[i].Cost.Clock)
		}
		return all
	}
	for _, c := range []struct {
		tick int
		want []int64
	}{
		{4, []int64{4, 4, 4, 4, 4}},
		{15, []int64{4, 4, 4, 4, 4}},         // ticks at 6, 8, …; 6, 9, …; 5, 6, …
		{16, []int64{6, 7, 16, 5, 16}},       // 6, 4 and 12 ticks (of 2, 3 and 1 base ticks) passed; 5, 3 and 11 are lost
		{59, []int64{49, 50, 59, 47, 59}},    // in the second stall two ticks of godis passed
		{109, []int64{99, 51, 109, 97, 109}}, // xiaoxu's clock stopped when it died, at 60
	} {
		if got := clocks(c.tick); !slices.Equal(got, c.want) {
			t.Errorf("tick %d: clocks %v, want %v", c.tick, got, c.want)
		}
	}
}

// TestOnlyCancelRemovesUnchecked checks that only a cancel removes without a check. Neither a set or
// reset of a timer that has fired nor a cancel of a rejected timer panics.
func TestOnlyCancelRemovesUnchecked(t *testing.T) {
	const lane = `{"wheelscope":1,"tick":"1s","until":30,"lanes":[{"algorithm":"lk668","slots":8}],"workload":{"ops":[
		{"at":0,"op":"schedule","timer":"a","delay":2},{"at":0,"op":"schedule","timer":"b","delay":-1},
		{"at":5,"op":"set","timer":"a","delay":2},{"at":10,"op":"reset","timer":"a","delay":2},{"at":11,"op":"cancel","timer":"b"},`
	wantTold(t, lane+`{"at":12,"op":"cancel","timer":"a"}]}}`, `
		0 reject b#2
		3 hand
		3 expire a#1 run 1 late 1
		8 hand
		8 expire a#3 run 1 late 1
		10 miss a#3
		11 miss b#2
		12 cancel a#4`)
	wantTold(t, lane+`{"at":20,"op":"cancel","timer":"a"}]}}`, `
		0 reject b#2
		3 hand
		3 expire a#1 run 1 late 1
		8 hand
		8 expire a#3 run 1 late 1
		10 miss a#3
		11 miss b#2
		13 hand
		13 expire a#4 run 1 late 1
		20 finding a#4
		20 miss a#4`)
}

// TestCreated checks that the creation time is that of the file or else now by the wall clock.
func TestCreated(t *testing.T) {
	wantTold(t, `{"wheelscope":1,"tick":"1s","start":50,"until":40,"lanes":[{"algorithm":"lk668","slots":32,"as":"corrected"}],"workload":{"ops":[
		{"at":2,"op":"schedule","timer":"at 12","delay":12,"created":0},
		{"at":3,"op":"clock","by":4},
		{"at":5,"op":"schedule","timer":"now","delay":12},
		{"at":5,"op":"schedule","timer":"at 12 by the wall","delay":12,"created":0},
		{"at":6,"op":"clock","by":-4},
		{"at":6,"op":"schedule","timer":"at 12 again","delay":12,"created":-12}]}}`, `
		9 hand
		9 expire at 12 by the wall#3 run 1 late -8
		13 hand
		13 expire at 12#1 run 1 late -1
		13 expire at 12 again#4 run 1 late -5
		18 hand
		18 expire now#2 run 1 late 1`)
}

// paused returns a scenario of one lane whose driver is stalled from tick 3 to 7, with the given
// operations.
func paused(lane, ops string) string {
	return `{"wheelscope":1,"tick":"1s","start":50,"until":30,"lanes":[` + lane + `],"workload":{"ops":[
		{"at":2,"op":"stall","for":6},` + ops + `]}}`
}

// TestADelayInAPauseIsNotReduced checks that published code uses the delay as given in a stall: a
// timer of two ticks of the wheel fires at the third tick processed after it was scheduled.
func TestADelayInAPauseIsNotReduced(t *testing.T) {
	for _, id := range []string{"lk668", "xiaoxu", "godis"} {
		wantTold(t, paused(`{"algorithm":"`+id+`","slots":5,"width":2}`, `{"at":5,"op":"schedule","timer":"a","delay":4}`), `
		12 hand
		12 expire a#1 run 1 late 3
		12 finding a#1`)
	}
}

// TestNegativeDelaysInAPause checks that a due tick that a library rejects as too early is also
// rejected in a stall, although the library's hand is before that tick.
func TestNegativeDelaysInAPause(t *testing.T) {
	const op = `{"at":6,"op":"schedule","timer":"a","delay":-2}`
	wantTold(t, paused(`{"algorithm":"godis","slots":5}`, op), `
		6 reject a#1
		6 finding a#1`)
	wantTold(t, paused(`{"algorithm":"lk668","slots":5}`, op), `
		6 reject a#1`)
	wantTold(t, paused(`{"algorithm":"xiaoxu","slots":5}`, `{"at":6,"op":"schedule","timer":"a","delay":-3}`), `
		6 reject a#1
		6 finding a#1`)
	wantTold(t, paused(`{"algorithm":"godis","slots":5,"faults":["ticks"]}`, op), `
		8 hand
		8 expire a#1 run 1 late 4
		8 finding a#1`)
	wantTold(t, paused(`{"algorithm":"xiaoxu","slots":5,"faults":["ticks"]}`, op), `
		8 hand
		8 expire a#1 run 1 late 4
		8 finding a#1`)
}

// TestCorrectedIsOnTimeAfterAPause checks that corrected lanes catch up with the ticks of a stall,
// so that timers scheduled in it are on time. lk668 uses the wall clock, which does not stop.
func TestCorrectedIsOnTimeAfterAPause(t *testing.T) {
	for _, id := range []string{"lk668", "xiaoxu", "godis"} {
		wantTold(t, paused(`{"algorithm":"`+id+`","slots":5,"width":2,"as":"corrected"}`,
			`{"at":5,"op":"schedule","timer":"a","delay":4},{"at":6,"op":"schedule","timer":"b","delay":-2}`), `
		8 hand
		8 expire b#2 run 1 late 4
		10 hand
		10 expire a#1 run 1 late 1`)
	}
	wantTold(t, paused(`{"algorithm":"lk668","slots":16,"as":"corrected"}`, `{"at":5,"op":"schedule","timer":"a","delay":12,"created":0}`), `
		13 hand
		13 expire a#1 run 1 late -4`)
}

// TestNoRaceWithATickBeforeThePause checks that the race of xiaoxu needs a tick at the instant of
// the call. A stall has none, although the last tick before it was at the wheel's current time.
func TestNoRaceWithATickBeforeThePause(t *testing.T) {
	wantTold(t, paused(`{"algorithm":"xiaoxu","slots":16,"faults":["outside"]}`, `{"at":5,"op":"schedule","timer":"a","delay":6}`), `
		12 hand
		12 expire a#1 run 1 late 1`)
}

// TestWallClockIsBounded checks that the wall clock stays within its bounds after any jumps.
func TestWallClockIsBounded(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"tick":"1s","until":40,"lanes":[{"algorithm":"lk668","slots":32}],"workload":{"ops":[
		{"at":1,"op":"clock","by":4611686018427387903},{"at":1,"op":"clock","by":4611686018427387903},{"at":1,"op":"clock","by":4611686018427387903},
		{"at":2,"op":"schedule","timer":"a","delay":12,"created":-4611686018427387903},
		{"at":3,"op":"clock","by":-4611686018427387903},{"at":3,"op":"clock","by":-4611686018427387903},
		{"at":4,"op":"schedule","timer":"b","delay":12,"created":4611686018427387903},
		{"at":5,"op":"schedule","timer":"c","delay":12}]}}`)
	plantest.RunStraight(t, p) // checks the wheel after every tick
}

// TestStalledWorkersAreNotPassedOver checks that a Redis worker polls when a stall ends, even
// without a tick of its ticker: after a change of the clock, timers may be due then.
func TestStalledWorkersAreNotPassedOver(t *testing.T) {
	for _, within := range []string{``, `,{"at":18,"op":"schedule","timer":"b","delay":9}`} {
		p := plantest.Load(t, `{"wheelscope":1,"tick":"250ms","until":40,"lanes":[{"algorithm":"redis"}],"workload":{"ops":[
			{"at":1,"op":"schedule","timer":"a","delay":27},{"at":4,"op":"clock","by":5},{"at":8,"op":"stall","for":11}`+within+`]}}`)
		want := plantest.RunStraight(t, p).Records
		e := plantest.Engine(t, p)
		var got []engine.Record
		for tick, ok := e.Next(); ok; tick, ok = e.Next() {
			got = e.Tick(tick, got)
		}
		if !slices.Equal(got, want) {
			t.Errorf("from work to work it emits\n%+v\ntick by tick\n%+v", got, want)
		}
	}
}
