package timer

import (
	"math"
	"math/bits"
	"time"
)

// histogramBuckets is the number of buckets of a [Histogram].
const histogramBuckets = 21

// histogramFirst is the upper bound of the first bucket; each further bound is twice the previous
// one. The last bucket has no upper bound: it counts durations of more than a minute.
const histogramFirst = 125 * time.Microsecond

// Histogram counts durations in buckets. [Histogram.Bound] returns the upper bound of each bucket.
type Histogram struct {
	Counts [histogramBuckets]int64 // number of durations in each bucket, not cumulative
	Sum    time.Duration           // sum of all durations; at most 2^63-1 ns
}

// Bound returns the inclusive upper bound of bucket k: 125 µs for k = 0, twice the previous bound
// for each further bucket, and math.MaxInt64 for the last.
func (h *Histogram) Bound(k int) time.Duration {
	if k >= histogramBuckets-1 {
		return math.MaxInt64
	}
	return histogramFirst << k
}

// count adds n durations of length d to h. A negative d counts as 0.
func (h *Histogram) count(d time.Duration, n int64) {
	d = max(0, d)
	k := bits.Len64(uint64(max(0, d-1) / histogramFirst))
	h.Counts[min(k, histogramBuckets-1)] += n
	h.sum(d, n)
}

// sum adds n times d to h.Sum, which is limited to math.MaxInt64.
func (h *Histogram) sum(d time.Duration, n int64) {
	if high, low := bits.Mul64(uint64(d), uint64(n)); high > 0 || low > uint64(math.MaxInt64-h.Sum) {
		h.Sum = math.MaxInt64
	} else {
		h.Sum += time.Duration(low)
	}
}

// add adds the counts and the sum of o to h.
func (h *Histogram) add(o *Histogram) {
	for k, n := range o.Counts {
		h.Counts[k] += n
	}
	h.sum(o.Sum, 1)
}
