package advise

import (
	"math"
	"math/rand/v2"
	"time"
)

// The model estimates the time of an event from what was counted and from the latency L of a dependent read of memory at the
// footprint of what is read. The coefficients are rounded from a fit to timings of all candidates on six workloads other than
// those of BenchmarkAccept; what the model is good for is to find the structures that are worth timing.
const (
	readsPerScattered = 1.0  // dependent reads for each event whose timer is not next to the one before
	readsPerPassed    = 0.06 // dependent reads for each timer passed over in a linked list
	nsPerPassed       = 4.0
	nsPerTick         = 50.0
	lineBytes         = 64 // of memory that a read brings into the cache
)

// nsPerEvent is the time of an event without misses, by algorithm. nsTypical is that of the others.
var nsPerEvent = map[string]float64{FIFO: 4, "agrona": 4, "sorted": 17, "hashed-sorted": 23, "heap": 30, "calendar": 32, "callout": 32, "simple": 35, "tokio": 41,
	"rounds": 47, "netty": 49, "hierarchical": 50, "kafka": 55, "linux": 60, "linux-classic": 60, "nats": 70, PackageTime: 200}

const nsTypical = 45.0

// arrays are the algorithms that pass over timers in arrays, which are read ahead.
var arrays = map[string]bool{"agrona": true, "nats": true}

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

// footprint returns the number of bytes among which a structure reads: the timers, and the slots of which pending timers
// are in one each at most.
func (n *Count) footprint(pending int) int64 {
	return n.Bytes - n.empty + min(n.empty, lineBytes*int64(max(pending, 1)))
}

// predicted returns the estimated time of an event of w in nanoseconds on a structure of the given algorithm.
func (l Latencies) predicted(algorithm string, n *Count, w *Workload) float64 {
	e, latency := float64(max(w.Events, 1)), l.at(n.footprint(w.Pending()))
	each, ok := nsPerEvent[algorithm]
	if !ok {
		each = nsTypical
	}
	ns := each + readsPerScattered*latency*float64(n.Scattered)/e + nsPerTick*float64(n.Ticks)/e
	perPassed := nsPerPassed
	if !arrays[algorithm] {
		perPassed += readsPerPassed * latency
	}
	return ns + perPassed*float64(n.PassedOver)/e
}
