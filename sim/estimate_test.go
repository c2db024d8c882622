package sim

import (
	"errors"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/static"
)

// measured holds the measured figures of a run.
type measured struct {
	engine, empty, events, tickEvents, tickTouched int64
}

// measureRun runs a program to its end, or until it has `most` events or `most` ticks with work,
// and measures every lane at the end of each of these ticks.
func measureRun(t testing.TB, p *program.Program, most int64) measured {
	t.Helper()
	e := plantest.Engine(t, p)
	e.KeepEvents(false)
	m := measured{empty: e.Bytes()}
	last := make([]int64, len(e.Lanes))
	for n := int64(0); e.Emitted() < most && n < most; n++ {
		at, ok := e.Next()
		if !ok {
			break
		}
		for i, l := range e.Lanes {
			l.Idle(at - 1)
			touched := l.Wheel.Cost().Touched
			l.FinishTick(at)
			m.tickTouched = max(m.tickTouched, l.Wheel.Cost().Touched-touched)
			m.tickEvents = max(m.tickEvents, l.Emitted()-last[i])
			last[i] = l.Emitted()
		}
		if n < 4096 || n%64 == 0 {
			m.engine = max(m.engine, e.Bytes()+int64(cap(e.Lanes[0].Fired))*16)
		}
	}
	m.events = e.Emitted()
	return m
}

// check compares the figures of a run with its estimate.
func (m measured) check(t testing.TB, name string, e program.Estimate) {
	t.Helper()
	for _, c := range []struct {
		what        string
		used, bound int64
	}{
		{"bytes of an empty engine", m.empty, e.EmptyBytes}, {"bytes of an engine", m.engine, e.EngineBytes},
		{"events", m.events, e.Events}, {"events in one tick of a lane", m.tickEvents, e.TickEvents},
		{"timers touched in one tick of a lane", m.tickTouched, e.TickWork},
	} {
		if c.used > c.bound {
			t.Errorf("%s: %d %s, estimated were at most %d", name, c.used, c.what, c.bound)
		}
	}
}

// tight reports an error if the estimate of a large run is far higher than the measured figures.
func (m measured) tight(t testing.TB, name string, e program.Estimate) {
	t.Helper()
	if m.events > 10_000 && e.Events > 4*m.events {
		t.Errorf("%s: %d events, estimated were %d", name, m.events, e.Events)
	}
	if m.engine > 8<<20 && e.EngineBytes > 3*m.engine {
		t.Errorf("%s: an engine of %d bytes, estimated were %d", name, m.engine, e.EngineBytes)
	}
}

// stalledScenario returns a scenario with the given lane and operations that ends near the last
// tick.
func stalledScenario(lane, ops string) string {
	return `{"wheelscope":1,"until":4611686018427380000,"lanes":[` + lane + `],"workload":{"ops":[` + ops + `]}}`
}

func TestEndlessTicksAreRefused(t *testing.T) {
	const far = `{"at":0,"op":"schedule","timer":"a","delay":4000000000000000000,"every":10000000000000000,"times":2}`
	const stall = `{"at":1,"op":"stall","for":3000000000000000000}`
	for _, lane := range []string{`{"algorithm":"rounds"}`, `{"algorithm":"hashed-sorted"}`, `{"algorithm":"tokio"}`, `{"algorithm":"netty"}`,
		`{"algorithm":"linux-classic"}`, `{"algorithm":"godis","as":"corrected"}`, `{"algorithm":"xiaoxu","faults":["negative"]}`,
		`{"algorithm":"simple","overflow":"list"}`, `{"algorithm":"linux"}`} {
		_, err := program.Load([]byte(stalledScenario(`{"algorithm":"heap"},`+strings.Replace(lane, "{", `{"id":"slow",`, 1), far+","+stall)))
		input, ok := errors.AsType[*scenario.InputError](err)
		if !ok || input.Path != "workload.ops[1].for" || !strings.Contains(err.Error(), `the lane "slow" could have`) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", lane, err)
		}
	}
}

// TestLongStallsLoad checks that a long stall is accepted if little work is due after it.
func TestLongStallsLoad(t *testing.T) {
	const stall = `{"at":100,"op":"stall","for":3000000000000000000}`
	for _, c := range []struct{ what, lane, ops string }{
		{"nothing is scheduled", `{"algorithm":"rounds"}`, stall},
		{"the timer fires before", `{"algorithm":"rounds"}`, `{"at":0,"op":"schedule","timer":"a","delay":50},` + stall},
		{"the timer is cancelled before", `{"algorithm":"rounds"}`, `{"at":0,"op":"schedule","timer":"a","delay":4000000000000000000},{"at":9,"op":"cancel","timer":"a"},` + stall},
		{"the timer is due soon after the stall begins", `{"algorithm":"netty"}`, `{"at":0,"op":"schedule","timer":"a","delay":200},` + stall},
		{"the timer is scheduled afterwards", `{"algorithm":"rounds"}`, stall + `,{"at":3000000000000000101,"op":"schedule","timer":"a","delay":50}`},
		{"the wheel goes from due tick to due tick", `{"algorithm":"heap"},{"algorithm":"kafka"},{"algorithm":"hierarchical"},{"algorithm":"calendar"},{"algorithm":"riicarus"}`,
			`{"at":0,"op":"schedule","timer":"a","delay":4000000000000000000},` + stall},
		{"ticks of the stall are lost", `{"algorithm":"godis"},{"algorithm":"xiaoxu"},{"algorithm":"lk668"}`,
			`{"at":0,"op":"schedule","timer":"a","delay":4000000000000000000},` + stall},
		{"the stall lasts to the end", `{"algorithm":"rounds"}`, `{"at":0,"op":"schedule","timer":"a","delay":4000000000000000000},{"at":1,"op":"stall","for":4611686018427380000}`},
		{"a thousand ticks", `{"algorithm":"rounds","slots":1},{"algorithm":"list"}`, `{"at":0,"op":"schedule","timer":"a","delay":4000000000000000000},{"at":1,"op":"stall","for":100000}`},
	} {
		if _, err := program.Load([]byte(stalledScenario(c.lane, c.ops))); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

func TestTooLargeMessage(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"lanes":[{"id":"a","algorithm":"hierarchical"},{"id":"b","algorithm":"heap"}],"workload":{"generate":[{"prefix":"t","seed":1,
		"count":200000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"uniform","min":1,"max":1000000}}]}}`)
	err := program.NewTooLargeError(p, 7_400_000)
	want := "the scenario needs about " + program.FormatBytes(p.Estimate().Bytes) + " (lanes: 2, timers: 200000); 7.4 MB are available: expected fewer lanes, slots or timers"
	if err.Error() != want || p.Estimate().Bytes < 2*2*200000*40 {
		t.Errorf("%v, want %s", err, want)
	}
	if zh := texts.ErrorOf(err).In(static.Messages("zh")); !strings.Contains(zh, "可用 7.4 MB") {
		t.Error(zh)
	}
}
