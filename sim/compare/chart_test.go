package compare

import (
	"context"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"
	"weak"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
)

func chartOf(t *testing.T, p *program.Program) *Chart {
	t.Helper()
	c, err := NewChart(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestChartAgreesWithCompare checks the results and the sums and maxima of the curves of a chart.
func TestChartAgreesWithCompare(t *testing.T) {
	programs := plantest.Golden(t)
	programs["many"] = plantest.Load(t, plantest.ManyTimers)
	for name, p := range programs {
		c := chartOf(t, p)
		for i, want := range compareRows(t, p) {
			if c.Results[i] != want {
				t.Errorf("%s: %+v, compare says %+v", name, c.Results[i], want)
			}
			curve := &c.Lanes[i]
			var cost float64
			for k, mean := range curve.Mean {
				from := int64(k) * c.Bucket
				cost += mean * float64(min(from+c.Bucket, p.Until+1)-from)
			}
			if math.Abs(cost-float64(want.Cost)) > 1e-6*cost+1e-6 {
				t.Errorf("%s, lane %s: the means add up to %f, the cost is %d", name, want.Lane, cost, want.Cost)
			}
			if worst := slices.Max(curve.Worst); worst != want.WorstTick || curve.Worst[want.WorstTickAt/c.Bucket] != worst {
				t.Errorf("%s, lane %s: the worst tick costs %d, compare says %d at %d", name, want.Lane, worst, want.WorstTick, want.WorstTickAt)
			}
			if late, early := slices.Max(curve.Late), slices.Max(curve.Early); late != want.LateMax || early != want.EarlyMax {
				t.Errorf("%s, lane %s: %d late and %d early at most, compare says %d and %d", name, want.Lane, late, early, want.LateMax, want.EarlyMax)
			}
		}
	}
}

// TestChartAgreesWithRun checks each point of the curves: the live timers with a seek, the costs
// with the costs of the run tick by tick.
func TestChartAgreesWithRun(t *testing.T) {
	p := plantest.Load(t, plantest.ManyTimers)
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	c := chartOf(t, p)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for k := range c.Lanes[0].Live {
		end := min(int64(k+1)*c.Bucket-1, p.Until)
		snap, err := run.Seek(ctx, sim.EndOf(end), 0)
		if err != nil {
			t.Fatal(err)
		}
		costs, err := TickCosts(ctx, run, int64(k)*c.Bucket, end)
		if err != nil {
			t.Fatal(err)
		}
		for i := range snap.Lanes {
			if got, want := c.Lanes[i].Live[k], int64(snap.Lanes[i].Live); got != want {
				t.Fatalf("lane %d at %d: %d live, a seek finds %d", i, end, got, want)
			}
			if got, want := c.Lanes[i].Worst[k], slices.Max(costs[i]); got != want {
				t.Fatalf("lane %d up to %d: worst tick %d, the run's is %d", i, end, got, want)
			}
		}
	}
}

func TestChartStopsWhenAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewChart(ctx, plantest.Load(t, plantest.ManyTimers), nil); err != context.Canceled {
		t.Errorf("error %v, want that it was cancelled", err)
	}
}

func TestTickCostsRefusesWhatIsNotThere(t *testing.T) {
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	run, err := store.Open(t.Context(), plantest.Load(t, `{"wheelscope":1,"until":7,"lanes":[{"algorithm":"simple","slots":4}],"workload":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][2]int64{{-1, 3}, {3, 2}, {0, 8}, {0, CostTicksMax}} {
		if _, err := TickCosts(context.Background(), run, bad[0], bad[1]); err == nil {
			t.Errorf("ticks %d to %d are accepted", bad[0], bad[1])
		}
	}
	costs, err := TickCosts(context.Background(), run, 0, 7)
	if err != nil || !slices.Equal(costs[0], []int64{0, 1, 1, 1, 1, 1, 1, 1}) {
		t.Errorf("%v, %v: an empty wheel examines a slot in every tick but the first", costs, err)
	}
}

// TestLanesAreReleased checks in the middle of a run of many lanes how many of those that have run are in memory:
// at most one for each processor, and one for each goroutine that is about to end.
func TestLanesAreReleased(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	lanes, inMemory := make([]*engine.Lane, 16*processors), make([]weak.Pointer[engine.Lane], 8*processors)
	for i := range lanes {
		lanes[i] = new(engine.Lane)
	}
	for i := range inMemory {
		inMemory[i] = weak.Make(lanes[i])
	}
	counted := make(chan struct{})
	consume(t.Context(), lanes, func(_ context.Context, i int, l *engine.Lane) {
		if i != len(inMemory)-1 {
			if i >= len(inMemory) {
				<-counted
			}
			return
		}
		defer close(counted)
		runtime.GC()
		n := 0
		for _, p := range inMemory {
			if p.Value() != nil {
				n++
			}
		}
		if n < 1 || n > 2*processors {
			t.Errorf("%d of %d lanes are in memory, want 1 to %d", n, len(inMemory), 2*processors)
		}
		runtime.KeepAlive(l)
	})
}
