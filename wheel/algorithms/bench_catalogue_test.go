package algorithms

import (
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// benchCatalogue is every algorithm in a geometry that suits delays from a second to an
// hour with a tick of 1 ms; most is the maximum number of pending timers to measure.
var benchCatalogue = []struct {
	lane
	most int
}{
	{lane{id: "hierarchical", params: catalog.Params{"slots": int64(64), "levels": int64(4)}}, benchPending},
	{lane{id: "simple", params: catalog.Params{"slots": int64(65536), "overflow": "list"}}, benchPending},
	{lane{id: "rounds", params: catalog.Params{"slots": int64(4096)}}, benchPending},
	{lane{id: "tokio"}, benchPending},
	{lane{id: "linux"}, benchPending},
	{lane{id: "linux-classic"}, benchPending},
	{lane{id: "kafka", params: catalog.Params{"slots": int64(64)}}, benchPending},
	{lane{id: "kafka", params: catalog.Params{"slots": int64(64), "drive": "tick"}}, benchPending},
	{lane{id: "netty", params: catalog.Params{"slots": int64(4096)}}, benchPending},
	{lane{id: "lk668", params: catalog.Params{"slots": int64(4096), "as": "corrected"}}, benchPending},
	{lane{id: "xiaoxu", params: catalog.Params{"slots": int64(4096), "as": "corrected"}}, benchPending},
	{lane{id: "godis", params: catalog.Params{"slots": int64(4096), "as": "corrected"}}, benchPending},
	{lane{id: "calendar"}, benchPending},
	// Slower by design: a priority queue per bucket, a search in a slot, a tree, a list.
	{lane{id: "riicarus", params: catalog.Params{"slots": int64(4096), "as": "corrected"}}, benchPending},
	{lane{id: "hashed-sorted", params: catalog.Params{"slots": int64(4096)}}, benchPending},
	{lane{id: "heap", params: catalog.Params{"arity": int64(4)}}, benchPending},
	{lane{id: "list"}, wheel.LinearMax},
	{lane{id: "sorted"}, wheel.LinearMax},
}

// benchTick is the number of operations per tick, so that the work that a lane does in its
// ticks (Netty's queues, the passes over a list) is included.
const benchTick = 1000

// BenchmarkCatalogue schedules and cancels one timer while others are pending, for every algorithm
// and for growing numbers of pending timers. A time that grows with that number is a property of
// the algorithm. cost/op is the algorithm's own count, which does not depend on the machine. Run it
// with -benchtime=100000x: a lane that only marks cancelled timers keeps them for an hour of its
// clock.
func BenchmarkCatalogue(b *testing.B) {
	for _, c := range benchCatalogue {
		for n := 1000; n <= c.most; n *= 10 {
			b.Run(fmt.Sprintf("%s/%d", laneName(c.id, c.params), n), func(b *testing.B) {
				r, w := benchRand(), c.build(b)
				handles := fill(w, n, func() int64 { return benchDelay(r) })
				if w.Len() != n || handles[n-1].IsZero() {
					b.Fatalf("%d of %d are pending", w.Len(), n)
				}
				jump(w, 20) // Netty's worker has transferred the pending queue
				drawn, k, before := delays(r), 0, w.Cost()
				var fired []wheel.Expiry
				b.ReportAllocs()
				for b.Loop() {
					h, _, _ := w.Schedule(wheel.Spec{Due: w.Now() + drawn[k&(1<<16-1)], Key: 7})
					w.Cancel(h)
					if k++; k%benchTick == 0 {
						fired, _ = w.Advance(w.Now()+1, fired[:0], 0)
					}
				}
				b.ReportMetric(float64(w.Cost().Total()-before.Total())/float64(b.N), "cost/op")
			})
		}
	}
}
