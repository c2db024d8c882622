package cursor

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
)

// BenchmarkSearch searches all of the largest built-in run in both directions without a match:
// by every event, and by the timeline alone.
func BenchmarkSearch(b *testing.B) {
	data, ok := library.Builtin("hundred-thousand")
	if !ok {
		b.Fatal("no such scenario")
	}
	p := plantest.Load(b, string(data))
	r := openRunSized(b, p, sim.DefaultSizes)
	last, err := r.EndSeq(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	end := sim.Position{Tick: p.Until, Seq: last, Whole: true}
	for name, w := range map[string]Query{
		"slot":    {Condition: ConditionSlot, Lane: -1, Over: 1 << 40},
		"finding": {Condition: ConditionFinding, Lane: -1},
	} {
		for way, from := range map[string]sim.Position{"forward": {}, "back": end} {
			b.Run(name+"/"+way, func(b *testing.B) {
				for b.Loop() {
					s, err := newSearch(r, w, from, way == "forward")
					if err != nil {
						b.Fatal(err)
					}
					for {
						_, state, err := s.nextPart(b.Context())
						if err != nil || state == partFound {
							b.Fatal(state, err)
						}
						if state == partEnded {
							break
						}
					}
				}
				b.ReportMetric(float64(end.Seq)/1e6, "Mevents")
			})
		}
	}
}
