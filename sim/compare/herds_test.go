package compare

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/static"
)

type phase struct{ every, phase int64 }

// herdWorkload returns a workload of repeating and other timers and the herds planted in it. Without planted herds it has
// what is easily mistaken for one: short periods that fill every tick, bursts of single timers, timers that are cancelled before
// they run again, and small groups.
func herdWorkload(seed uint64) (text string, planted map[phase]bool) {
	rng := rand.New(rand.NewPCG(seed, 47))
	var ops []string
	names := 0
	beat := func(at, delay, every, times int64) {
		names++
		ops = append(ops, fmt.Sprintf(`{"at":%d,"op":"schedule","timer":"t%d","delay":%d,"every":%d,"times":%d}`, at, names, delay, every, times))
	}
	periods := []int64{500, 1000, 2500, 10000}
	rng.Shuffle(len(periods), func(i, j int) { periods[i], periods[j] = periods[j], periods[i] })
	for _, every := range periods[:2] { // spread evenly
		for range 100 + rng.IntN(900) {
			beat(rng.Int64N(every), 1+rng.Int64N(every), every, -1)
		}
	}
	for range 2000 { // a period of 8 ticks
		beat(0, 1+rng.Int64N(8), 8, 3)
	}
	burst := rng.Int64N(1000)
	for range 300 { // single timers that are due together
		names++
		ops = append(ops, fmt.Sprintf(`{"at":%d,"op":"schedule","timer":"t%d","delay":%d}`, burst, names, 2000-burst))
	}
	for range 200 { // cancelled before they run again
		beat(3, 700, 1500, -1)
		ops = append(ops, fmt.Sprintf(`{"at":%d,"op":"cancel","timer":"t%d"}`, 100+rng.IntN(600), names))
	}
	for range 10 + rng.IntN(15) { // a small group
		beat(5, 1234, 3000, -1)
	}
	planted = map[phase]bool{}
	if seed%2 == 0 {
		for k := range 1 + rng.IntN(3) {
			every := []int64{1000, 4000, 10000}[rng.IntN(3)]
			due := every + int64(k)*37 + rng.Int64N(20)
			for range 50 + rng.IntN(1500) { // scheduled at different times, due together
				at := rng.Int64N(due)
				beat(at, due-at, every, -1)
			}
			planted[phase{every, due % every}] = true
		}
	}
	if seed%4 == 2 { // timers that their callers schedule anew each time, after a tick or two of lateness
		every := int64(2000 + 500*rng.IntN(4))
		first := 100 + rng.Int64N(every)
		for range 100 + rng.IntN(900) {
			for at, due := rng.Int64N(100), first; due < 30000; at, due = due+rng.Int64N(2), due+every {
				names++
				ops = append(ops, fmt.Sprintf(`{"at":%d,"op":"schedule","timer":"t%d","delay":%d}`, at, names, due-at))
			}
		}
		planted[phase{every, first % every}] = true
	}
	return `{"wheelscope":1,"until":30000,"lanes":[{"algorithm":"hierarchical"}],"workload":{"ops":[` + strings.Join(ops, ",") + `]}}`, planted
}

func TestHerds(t *testing.T) {
	found, right, all := 0, 0, 0
	for seed := range uint64(40) {
		text, planted := herdWorkload(seed)
		p, err := program.Load([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		all += len(planted)
		for _, h := range Herds(p) {
			found++
			if planted[phase{h.Every, h.Phase}] {
				right++
			} else {
				t.Logf("seed %d: no herd was planted at %d of %d, %d timers", seed, h.Phase, h.Every, h.Timers)
			}
		}
	}
	precision, recall := float64(right)/float64(found), float64(right)/float64(all)
	t.Logf("precision %.3f, recall %.3f of %d herds", precision, recall, all)
	if precision < 0.95 || recall < 0.95 || all < 20 {
		t.Errorf("precision %.3f, recall %.3f", precision, recall)
	}
}

// What spreading gives is that of a run with spread timers.
func TestSpreadGain(t *testing.T) {
	for every, want := range map[string]string{
		`"every":"10s"`: "1,000 timers of 10s fire in one tick; spread over the period the costliest tick of hierarchical falls from ",
		`"every":2`:     "",
	} {
		p, err := program.Load([]byte(`{"wheelscope":1,"until":30000,"lanes":[{"algorithm":"hierarchical"},{"algorithm":"list"}],"workload":{"generate":[
			{"prefix":"beat","seed":1,"count":1000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":"10s"},` + every + `,"times":3}]}}`))
		if err != nil {
			t.Fatal(err)
		}
		p, err = p.WithLanes(p.Scenario.Lanes[0])
		if err != nil {
			t.Fatal(err)
		}
		rows, err := Lanes(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		gain, err := SpreadGain(t.Context(), p, rows)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(static.Messages("en").Lines(gain.Words()), " ")
		if !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", every, got, want)
		}
		t.Log(got)
	}
}

// Spreading timers that are scheduled anew each time moves all their operations, and leaves no herd.
func TestSpreadOfRearmed(t *testing.T) {
	var ops []string
	for k := range 200 {
		for run := range 5 {
			ops = append(ops, fmt.Sprintf(`{"at":%d,"op":"schedule","timer":"t%d","delay":1000}`, run*1000, k*5+run))
		}
	}
	p, err := program.Load([]byte(`{"wheelscope":1,"until":6000,"lanes":[{"algorithm":"hierarchical"}],"workload":{"ops":[` + strings.Join(ops, ",") + `]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if herds := Herds(p); len(herds) != 1 || herds[0].Timers != 200 || herds[0].Every != 1000 {
		t.Fatalf("%+v", herds)
	}
	q, err := program.Plan(Spread(p))
	if err != nil || len(Herds(q)) != 0 || len(q.Ops) != len(p.Ops) {
		t.Errorf("%v, %+v", err, Herds(q))
	}
}
