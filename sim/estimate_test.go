package sim

import (
	"errors"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/static"
)

// measured holds the measured figures of a run, in bytes, and its number of events.
type measured struct{ engine, empty, events int64 }

// measureRun runs a program to its end, or until it has `most` events or `most` ticks with work,
// and measures every lane at the end of each of these ticks.
func measureRun(t testing.TB, p *program.Program, most int64) measured {
	t.Helper()
	e := plantest.Engine(t, p)
	e.KeepEvents(false)
	e.BindPace(func() error {
		if e.Emitted() > most+1<<18 {
			return errors.New("a tick with more events would take long")
		}
		return nil
	})
	m := measured{empty: e.Bytes()}
	for n := int64(0); e.Emitted() < most && n < most; n++ {
		at, ok := e.Next()
		if !ok || e.FinishTick(at) != nil {
			break
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
	if m.empty > e.EmptyBytes || m.engine > e.EngineBytes {
		t.Errorf("%s: an empty engine of %d bytes and one of %d, estimated were at most %d and %d", name, m.empty, m.engine, e.EmptyBytes, e.EngineBytes)
	}
}

// stalledScenario returns a scenario with the given lane and operations that ends near the last
// tick.
func stalledScenario(lane, ops string) string {
	return `{"wheelscope":1,"until":4611686018427380000,"lanes":[` + lane + `],"workload":{"ops":[` + ops + `]}}`
}

// A lane that would catch up for ever after a stall stops in that tick, however it is run.
func TestEndlessTicksEnd(t *testing.T) {
	const far = `{"at":0,"op":"schedule","timer":"a","delay":4000000000000000000,"every":10000000000000000,"times":2}`
	const stall = `{"at":1,"op":"stall","for":3000000000000000000}`
	lanes := []string{`{"algorithm":"rounds"}`, `{"algorithm":"agrona"}`}
	if testkit.Full() {
		lanes = append(lanes, `{"algorithm":"hashed-sorted"}`, `{"algorithm":"tokio"}`, `{"algorithm":"netty"}`, `{"algorithm":"linux-classic"}`, `{"algorithm":"xiaoxu","faults":["negative"]}`)
	}
	for _, lane := range lanes {
		p := plantest.Load(t, stalledScenario(`{"algorithm":"heap"},`+strings.Replace(lane, "{", `{"id":"slow",`, 1), far+","+stall))
		e := plantest.Engine(t, p)
		e.KeepEvents(false)
		for at, ok := e.Next(); ok && e.FinishTick(at) == nil; at, ok = e.Next() {
		}
		e.Finish()
		err := e.Err()
		if excess, ok := errors.AsType[*engine.TickError](err); !ok || excess.Lane != "slow" || excess.Tick != 3000000000000000001 {
			t.Errorf("%s: %v", lane, err)
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
