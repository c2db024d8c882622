//go:build !race

// Long tests whose second goroutine shorter tests use under -race, too; see the Makefile.

package tracefile

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// A tick in parts has the same events as a whole tick, and its operations end in the same
// state, whatever their number and that of the events of one Advance.
func TestTickPartsIsTick(t *testing.T) {
	for _, delay := range []string{`{"dist":"uniform","min":1,"max":60}`, `{"dist":"constant","value":40}`} {
		p := plantest.Load(t, `{"wheelscope":1,"until":90,"lanes":[{"algorithm":"rounds","slots":8},{"algorithm":"heap"}],"workload":{"generate":[
			{"prefix":"t","seed":5,"count":20000,"arrivals":{"dist":"constant","value":3},"delay":`+delay+`}]}}`)
		whole, parts := plantest.Engine(t, p), plantest.Engine(t, p)
		most := 0
		for tick, ok := whole.Next(); ok; tick, ok = whole.Next() {
			want := whole.Tick(tick, nil)
			var got []engine.Record
			_, err := parts.TickParts(tick, nil, func(recs []engine.Record) error {
				most = max(most, len(recs))
				got = append(got, recs...)
				for _, l := range parts.Lanes {
					if cap(l.Log.Events) > 2*wheel.LogEventsMax {
						t.Fatalf("tick %d: a log has room for %d events", tick, cap(l.Log.Events))
					}
				}
				return nil
			})
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("tick %d: %d records in parts, %d as a whole, %v", tick, len(got), len(want), err)
			}
		}
		if most != engine.PartRecords {
			t.Errorf("parts of %d records at most, want %d", most, engine.PartRecords)
		}
		for i, l := range parts.Lanes {
			if a, b := whole.Lane(i).Stats(), l.Stats(); a != b {
				t.Errorf("lane %d: %+v as a whole, %+v in parts", i, a, b)
			}
			if cap(l.Fired) > engine.FiredMax {
				t.Errorf("lane %d keeps room for %d expiries", i, cap(l.Fired))
			}
		}
	}
}

// Headers that differ are shown shortened around the difference, however long they are.
func TestExplainHeader(t *testing.T) {
	var ops []string
	for i := range 20000 {
		ops = append(ops, fmt.Sprintf(`{"at":%d,"op":"schedule","timer":"t%d","delay":5}`, i, i))
	}
	text := `{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[` + strings.Join(ops, ",") + `]}}`
	p, other := plantest.Load(t, text), plantest.Load(t, strings.Replace(text, `"timer":"t15000","delay":5`, `"timer":"t15000","delay":6`, 1))
	fewer := plantest.Load(t, strings.Replace(text, `,{"at":19999,"op":"schedule","timer":"t19999","delay":5}`, "", 1))
	for name, c := range map[string]struct {
		q    *program.Program
		want string
	}{
		"a delay":    {other, "scenario.workload.ops[15000].delay is 5, the run has 6"},
		"an op less": {fewer, "scenario.until is "},
	} {
		_, err := VerifyProgram(t.Context(), c.q, strings.NewReader(string(traceOf(t, p, Options{}))), Options{})
		diff, ok := errors.AsType[*Diff](err)
		if !ok || !strings.Contains(diff.Error(), c.want) || len(diff.Error()) > 200 {
			t.Fatalf("%s: %.300v, want %q", name, err, c.want)
		}
		if got, want := diff.Shown(); len(got) > 500 || len(want) > 500 || got == want {
			t.Errorf("%s: %d and %d bytes are shown:\n%.600s\n%.600s", name, len(got), len(want), got, want)
		}
	}
	spaced := strings.Replace(string(traceOf(t, p, Options{})), `"tick":"1ms",`, `"tick":"1ms", `, 1)
	if got := diffOf(t, spaced).Error(); !strings.HasPrefix(got, "line 1: the header is written differently from byte ") {
		t.Error(got)
	}
}

// The memory does not grow with the length of a trace: a trace a hundred times the size of the
// blocks is written with as many allocations as a short one.
func TestTraceMemoryIsFlat(t *testing.T) {
	scenario := func(until int) *program.Program {
		return plantest.Load(t, fmt.Sprintf(`{"wheelscope":1,"until":%d,"lanes":[{"algorithm":"hierarchical","slots":8,"levels":2},{"algorithm":"rounds","slots":8}],
			"workload":{"ops":[{"at":0,"op":"schedule","timer":"beat","delay":1,"every":1}]}}`, until))
	}
	allocated := func(p *program.Program) (bytes uint64, size int64) {
		var a, b runtime.MemStats
		runtime.ReadMemStats(&a)
		s, err := Write(context.Background(), &failingWriter{math.MaxInt}, p, Options{})
		runtime.ReadMemStats(&b)
		if err != nil {
			t.Fatal(err)
		}
		return b.TotalAlloc - a.TotalAlloc, s.Bytes
	}
	short, _ := allocated(scenario(2_000))
	long, size := allocated(scenario(60_000))
	if size < 50*BlockBytes {
		t.Fatalf("the long trace has %d bytes only", size)
	}
	if long > 2*short {
		t.Errorf("%d bytes allocated for a trace of %d, %d for a short one", long, size, short)
	}
}
