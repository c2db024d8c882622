package program_test

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// BenchmarkLoadMillion plans a million generated timers, nine of ten cancelled.
func BenchmarkLoadMillion(b *testing.B) {
	data := plantest.Scenario("", `{"generate": [{"prefix": "conn", "seed": 7, "count": 1000000, "arrivals": {"dist": "poisson", "rate": "200/s"},
		"delay": {"dist": "exponential", "mean": "2s", "max": "30s"}, "cancel": {"fraction": 0.9, "after": {"dist": "uniform", "min": 0, "max": "1s"}}}]}`)
	b.ReportAllocs()
	for b.Loop() {
		plantest.Load(b, data)
	}
}

// BenchmarkLoadWritten reads 200,000 written operations.
func BenchmarkLoadWritten(b *testing.B) {
	s := plantest.Load(b, plantest.Scenario("", `{"generate": [{"prefix": "t", "count": 200000, "arrivals": {"dist": "constant", "every": 1}, "delay": {"dist": "constant", "value": 5}}]}`))
	written := *s.Scenario
	written.Generate = nil
	for i := range s.Ops {
		written.Ops = append(written.Ops, scenario.Op{At: s.Ops[i].At, Kind: scenario.OpSchedule, Timer: s.Name(s.Ops[i].ID), Delay: 5})
	}
	data := written.AppendJSON(nil)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		plantest.Load(b, data)
	}
}
