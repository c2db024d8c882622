package tracefile

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
)

// benchScenario is the run of the project's speed target: 100,000 timers, 60,000 ticks, five
// lanes.
const benchScenario = `{"wheelscope":1,"name":"bench","until":60000,
	"lanes":[{"algorithm":"simple","slots":4096,"overflow":"list"},{"algorithm":"rounds","slots":512},{"algorithm":"hierarchical","slots":64,"levels":4},
		{"algorithm":"heap"},{"id":"digits","algorithm":"hierarchical","slots":64,"levels":4,"placement":"digits"}],
	"workload":{"generate":[{"prefix":"t","seed":1,"count":100000,"arrivals":{"dist":"uniform","min":0,"max":30000},"delay":{"dist":"uniform","min":1,"max":30000}}]}}`

// BenchmarkWrite writes and hashes the whole trace.
func BenchmarkWrite(b *testing.B) {
	p := plantest.Load(b, benchScenario)
	var events, size int64
	for b.Loop() {
		s, err := Write(context.Background(), io.Discard, p, Options{})
		if err != nil {
			b.Fatal(err)
		}
		events, size = events+s.Events, s.Bytes
	}
	b.SetBytes(size)
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkVerify verifies the same trace from memory.
func BenchmarkVerify(b *testing.B) {
	p := plantest.Load(b, benchScenario)
	trace := traceOf(b, p, Options{})
	var events int64
	for b.Loop() {
		s, err := Verify(context.Background(), bytes.NewReader(trace), Options{})
		if err != nil {
			b.Fatal(err)
		}
		events += s.Events
	}
	b.SetBytes(int64(len(trace)))
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}
