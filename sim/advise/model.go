package advise

import (
	"math"
	"math/rand/v2"
	"time"
)

// The model estimates the time of an event from what was counted and from the latency L of a dependent read of memory at the
// structure's footprint. The coefficients are rounded from a fit to timings of all candidates on three workloads other than
// those of BenchmarkAccept, and nsPerTick is an estimate; what it is good for is to find the structures that are worth timing.
const (
	nsPerEvent     = 40.0 // time of an event without misses
	readsPerEvent  = 0.9  // dependent reads in an event
	readsPerPassed = 0.2  // dependent reads for each timer passed over
	nsPerPassed    = 2.0
	nsPerTick      = 40.0
)

// Latencies are measured or assumed latencies of a dependent read, in nanoseconds, by footprint: element i is that of a
// footprint of latencyLeast << 2i bytes.
type Latencies []float64

const (
	latencyLeast = 16 << 10
	latencySteps = 8 // up to 256 MiB
	latencyReads = 1 << 18
	latencyTime  = 4 * time.Second // for all footprints together
)

// typical are the latencies that are assumed if none are measured.
var typical = Latencies{1.5, 3, 4.5, 8, 15, 35, 75, 100}

// at returns the latency at a footprint, interpolated on a logarithmic scale.
func (l Latencies) at(bytes int64) float64 {
	x := math.Log2(float64(max(bytes, latencyLeast))/latencyLeast) / 2
	i := min(int(x), len(l)-1)
	if i == len(l)-1 {
		return l[i]
	}
	return l[i] + (l[i+1]-l[i])*(x-float64(i))
}

// measureLatencies measures the latency of dependent reads on this machine. It takes at most latencyTime and returns
// early, with the typical values in place of those not measured, if stop returns true.
func measureLatencies(stop func() bool) Latencies {
	l := append(Latencies{}, typical...)
	rng := rand.New(rand.NewPCG(1, 2))
	began := time.Now()
	for i := range latencySteps {
		lines := latencyLeast << (2 * i) / 64
		chain := make([][8]uint64, lines) // one element in a cache line
		cycle(chain, rng)
		best, at := math.Inf(1), uint64(0)
		for range 3 {
			if stop() || time.Since(began) > latencyTime {
				return l
			}
			reads := min(latencyReads, 8*lines)
			start := cpuTime()
			for range reads {
				at = chain[at][0]
			}
			best = min(best, float64(cpuTime()-start)/float64(reads))
		}
		chain[0][1] = at // so that the reads are needed
		l[i] = max(best, 0.3)
	}
	return l
}

// cycle makes chain one random cycle (Sattolo's algorithm).
func cycle(chain [][8]uint64, rng *rand.Rand) {
	for i := range chain {
		chain[i][0] = uint64(i)
	}
	for i := len(chain) - 1; i > 0; i-- {
		j := rng.IntN(i)
		chain[i][0], chain[j][0] = chain[j][0], chain[i][0]
	}
}

// predicted returns the estimated time of an event in nanoseconds. events is the number of events in the
// sample.
func (l Latencies) predicted(n *Count, events int64) float64 {
	e, latency := float64(max(events, 1)), l.at(n.Bytes)
	return nsPerEvent + readsPerEvent*latency + (nsPerPassed+readsPerPassed*latency)*float64(n.PassedOver)/e + nsPerTick*float64(n.Ticks)/e
}
