package sim

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
)

// long is the workload of the published speed: 100,000 timers over 60,000 ticks.
const long = `{"wheelscope":1,"until":60000,"lanes":[{"algorithm":"simple","slots":65536},{"algorithm":"rounds","slots":512},
 {"algorithm":"hierarchical","slots":64},{"algorithm":"heap"},{"id":"digits","algorithm":"hierarchical","slots":64,"levels":4,"placement":"digits"}],
 "workload":{"generate":[{"prefix":"t","seed":1,"count":100000,"arrivals":{"dist":"uniform","min":0,"max":30000},
 "delay":{"dist":"uniform","min":1,"max":30000},"cancel":{"fraction":0.3,"after":{"dist":"uniform","min":0,"max":30000}}}]}}`

// BenchmarkFirstPass computes the long run once.
func BenchmarkFirstPass(b *testing.B) {
	p := plantest.Load(b, long)
	for b.Loop() {
		r, err := newRun(p, NewStore(StoreOptions{}))
		if err != nil {
			b.Fatal(err)
		}
		r.compute(b.Context())
		b.ReportMetric(float64(len(r.checkpoints)), "checkpoints")
		b.ReportMetric(float64(r.timeline.Events), "events")
	}
}

// BenchmarkSeek seeks to random ticks of the long run and reports the 99th percentile.
func BenchmarkSeek(b *testing.B) {
	for _, w := range []struct {
		name string
		text string
	}{{"long", long}, {"million", million}} {
		b.Run(w.name, func(b *testing.B) {
			p := plantest.Load(b, w.text)
			_, r := openRunSized(b, p, DefaultSizes)
			if err := r.Wait(b.Context(), p.Until); err != nil {
				b.Fatal(err)
			}
			rnd := rand.New(rand.NewPCG(1, 2))
			var took []time.Duration
			for b.Loop() {
				from := time.Now()
				if _, err := r.Seek(b.Context(), EndOf(rnd.Int64N(p.Until+1)), 20); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(from))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(r.timeline.Events), "events")
		})
	}
}

// million has about a million events in four lanes.
const million = `{"wheelscope":1,"until":60000,"lanes":[{"algorithm":"simple","slots":65536},{"algorithm":"rounds","slots":4096},
 {"algorithm":"hierarchical","slots":64},{"id":"digits","algorithm":"hierarchical","slots":64,"levels":4,"placement":"digits"}],
 "workload":{"generate":[{"prefix":"t","seed":1,"count":50000,"arrivals":{"dist":"uniform","min":0,"max":30000},
 "delay":{"dist":"uniform","min":1,"max":30000},"cancel":{"fraction":0.3,"after":{"dist":"uniform","min":0,"max":30000}}}]}}`
