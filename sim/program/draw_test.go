package program

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// TestTablesAgainstFloatingPoint compares the fixed-point functions with floating-point ones, to
// the precision of the tables (an error of 3·10⁻⁶ in the logarithm).
func TestTablesAgainstFloatingPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 200000 {
		u := rng.Uint64() >> (i % 64)
		if u == 0 {
			continue
		}
		want := 64 - math.Log2(float64(u))
		if got := float64(negLog2(u)) / one; math.Abs(got-want) > 3e-6 {
			t.Fatalf("−log2(%d/2^64) = %v, want %v", u, got, want)
		}
		x := rng.Uint64() >> fracBits
		if got, want := float64(exp2(x))/one, math.Exp2(float64(x)/one); math.Abs(got-want) > 3e-6 {
			t.Fatalf("2^(%d/2^32) = %v, want %v", x, got, want)
		}
	}
	if negLog2(1<<63) != one || negLog2(0) != 64*one || exponential(math.MaxUint64) != 0 || exp2(0) != one {
		t.Errorf("at the ends: %d %d %d %d", negLog2(1<<63), negLog2(0), exponential(math.MaxUint64), exp2(0))
	}
}

func sample(d scenario.Dist, n int) []int64 {
	w := newDrawer(d, rand.NewPCG(7, 11))
	list := make([]int64, n)
	for i := range list {
		list[i] = w.ticks()
	}
	return list
}

// span returns a Span of n ticks.
func span(n int64) scenario.Span { return scenario.Span{Ticks: n} }

// TestDistributions checks the mean and the bounds of the draws. With n = 40,000 the bounds are
// more than five standard errors wide; the seed is fixed.
func TestDistributions(t *testing.T) {
	const n = 40000
	for _, c := range []struct {
		what              string
		dist              scenario.Dist
		mean, within      float64
		least, most, over int64 // most: the greatest draw must be in [over, most]
	}{
		{"constant", scenario.Dist{Kind: scenario.DistConstant, Value: span(9)}, 9, 0, 9, 9, 9},
		{"uniform", scenario.Dist{Kind: scenario.DistUniform, Min: span(10), Max: span(20), HasMax: true}, 15, 0.1, 10, 20, 20},
		{"exponential", scenario.Dist{Kind: scenario.DistExponential, Mean: span(100)}, 100.5, 2.6, 0, 5000, 800},
		{"exponential cut", scenario.Dist{Kind: scenario.DistExponential, Mean: span(100), Max: span(100), HasMax: true}, 63.7, 1, 0, 100, 100},
		{"pareto", scenario.Dist{Kind: scenario.DistPareto, Min: span(1000), Max: span(1 << 40), HasMax: true, Alpha: 3 * scenario.DecimalOne}, 1500, 25, 1000, 1 << 40, 8000},
		{"pareto cut", scenario.Dist{Kind: scenario.DistPareto, Min: span(10), Max: span(20), HasMax: true, Alpha: scenario.DecimalOne}, 17.3, 0.5, 10, 20, 20},
		{"choice", scenario.Dist{Kind: scenario.DistChoice, Values: []scenario.Span{span(0), span(100)}, Weights: []int64{3, 1}}, 25, 1.1, 0, 100, 100},
		{"choice alike", scenario.Dist{Kind: scenario.DistChoice, Values: []scenario.Span{span(0), span(60), span(30)}}, 30, 0.7, 0, 60, 60},
	} {
		list := sample(c.dist, n)
		var sum float64
		for _, x := range list {
			sum += float64(x)
		}
		low, high := slices.Min(list), slices.Max(list)
		if mean := sum / n; math.Abs(mean-c.mean) > c.within {
			t.Errorf("%s: mean %v, want %v ± %v", c.what, mean, c.mean, c.within)
		}
		if low < c.least || high > c.most || high < c.over {
			t.Errorf("%s: drawn from %d to %d", c.what, low, high)
		}
	}
}

func TestExponentialMedian(t *testing.T) {
	list := sample(scenario.Dist{Kind: scenario.DistExponential, Mean: span(1000000)}, 40001)
	slices.Sort(list)
	if median := list[20000]; math.Abs(float64(median)-693147) > 26000 {
		t.Errorf("the median is %d, want 693147", median)
	}
}

func TestPoissonArrivals(t *testing.T) {
	for _, c := range []struct {
		rate scenario.Rate
		want float64 // arrivals per tick of 1 ms
	}{
		{scenario.Rate{Text: "200/s", Count: 200, Period: 1e9}, 0.2}, {scenario.Rate{Text: "5/tick", Count: 5, Period: 1, Ticks: true}, 5},
		{scenario.Rate{Text: "3/100ms", Count: 3, Period: 1e8}, 0.03}, {scenario.Rate{Text: "90/1m30s", Count: 90, Period: 9e10}, 0.001},
	} {
		w := newDrawer(scenario.Dist{Kind: scenario.DistPoisson, Rate: c.rate}, rand.NewPCG(1, 1))
		const n = 40000
		var last int64
		for range n {
			at := w.arrival(1e6)
			if at < last {
				t.Fatalf("%s: an arrival at %d after one at %d", c.rate.Text, at, last)
			}
			last = at
		}
		if got := n / float64(last); math.Abs(got/c.want-1) > 0.03 {
			t.Errorf("%s: %v arrivals a tick, want %v", c.rate.Text, got, c.want)
		}
	}
}

// TestDrawsSaturate checks that values beyond 62 bits are saturated and do not wrap.
func TestDrawsSaturate(t *testing.T) {
	if got := scale(44*one, wheel.TickMax); got != tickSat {
		t.Errorf("scale: %d", got)
	}
	if got := mulSat(1<<31, 1<<40); got != tickSat {
		t.Errorf("mulSat: %d", got)
	}
	if got := addSat(wheel.TickMax, wheel.TickMax); got != tickSat {
		t.Errorf("addSat: %d", got)
	}
	if got := pareto(1, 1000, wheel.TickMax, scenario.DecimalOne/10); got != wheel.TickMax {
		t.Errorf("pareto: %d", got)
	}
	if got := arrivalAfter(scenario.Rate{Count: 1, Period: math.MaxInt64}, 1<<50, 1); got != tickSat {
		t.Errorf("arrivalAfter: %d", got)
	}
	if got := scale(one/2, wheel.TickMax); got != (wheel.TickMax+1)/2 {
		t.Errorf("half of TickMax is %d", got)
	}
}

// TestArrivalAfter checks that it returns the first tick at or after the arrival.
func TestArrivalAfter(t *testing.T) {
	perTick := scenario.Rate{Count: 4, Period: 1, Ticks: true}
	perSecond := scenario.Rate{Count: 100, Period: 1e9}
	for _, c := range []struct {
		rate scenario.Rate
		x    uint64 // Q32
		want int64
	}{
		{perTick, 0, 0}, {perTick, 1, 1}, {perTick, 4 * one, 1}, {perTick, 4*one + 1, 2}, {perTick, 40 * one, 10},
		{perSecond, one, 10}, {perSecond, one + 1, 11}, {perSecond, one / 2, 5}, {perSecond, 3 * one, 30},
	} {
		if got := arrivalAfter(c.rate, c.x, 1e6); got != c.want {
			t.Errorf("%s after %d/2^32: tick %d, want %d", c.rate.Text, c.x, got, c.want)
		}
	}
}
