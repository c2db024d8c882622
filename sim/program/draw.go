package program

import (
	"math/bits"
	"math/rand/v2"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

//go:generate go run draw_gen.go

// Draws use fixed-point numbers with 32 fractional bits ("Q32"). Integers make the results the same
// on every machine.
const (
	fracBits = 32
	one      = 1 << fracBits
	ln2      = 2977044472 // ln 2 as a fixed-point number with 32 fractional bits
)

// drawer draws random numbers from one distribution. Each draw takes exactly one number from the generator, or
// none for a constant, so the draws for one timer do not depend on the values drawn for others.
type drawer struct {
	scenario.Dist
	rng   *rand.PCG
	cum   []int64 // cum[i] is the sum of the weights of choices 0 to i, if the distribution is a choice
	count int64   // number of arrivals so far
	sum   uint64  // sum of the standard exponential variates drawn for Poisson arrivals, with 32 fractional bits
}

func newDrawer(d scenario.Dist, rng *rand.PCG) *drawer {
	w := &drawer{Dist: d, rng: rng}
	var sum int64
	for i := range d.Values {
		weight := int64(1)
		if d.Weights != nil {
			weight = d.Weights[i]
		}
		sum += weight
		w.cum = append(w.cum, sum)
	}
	return w
}

// ticks draws a duration in base ticks.
func (w *drawer) ticks() int64 {
	switch w.Kind {
	case scenario.DistUniform:
		return w.Min.Ticks + below(w.rng, w.Max.Ticks-w.Min.Ticks+1)
	case scenario.DistExponential:
		return w.cut(scale(exponential(w.rng.Uint64()), w.Mean.Ticks))
	case scenario.DistPareto:
		return w.cut(pareto(w.rng.Uint64(), w.Min.Ticks, w.Max.Ticks, w.Alpha))
	case scenario.DistChoice:
		u := below(w.rng, w.cum[len(w.cum)-1])
		for i, sum := range w.cum {
			if u < sum {
				return w.Values[i].Ticks
			}
		}
	}
	return w.Value.Ticks
}

func (w *drawer) cut(ticks int64) int64 {
	if w.Kind == scenario.DistPareto || w.HasMax {
		return min(ticks, w.Max.Ticks)
	}
	return ticks
}

// arrival draws the tick at which the next timer is scheduled. tick is the length of a base tick in nanoseconds.
// For Poisson arrivals and arrivals at a constant interval, this tick follows from the previous arrival. For all other
// distributions, it is a number of ticks after tick 0 that does not depend on previous arrivals.
func (w *drawer) arrival(tick int64) int64 {
	w.count++
	switch {
	case w.Kind == scenario.DistPoisson:
		w.sum += exponential(w.rng.Uint64())
		return arrivalAfter(w.Rate, w.sum, tick)
	case w.Kind == scenario.DistConstant && w.Every.Ticks > 0:
		return mulSat(w.count-1, w.Every.Ticks)
	}
	return w.ticks()
}

// arrivalAfter converts the time x to base ticks. It rounds up, and returns at most tickSat. x is a fixed-point number
// with 32 fractional bits; its unit is r.Period / r.Count, the mean time between two arrivals at rate r. tick is the
// length of a base tick in nanoseconds.
func arrivalAfter(r scenario.Rate, x uint64, tick int64) int64 {
	divisor := uint64(r.Count)
	if !r.Ticks {
		divisor *= uint64(tick) // no overflow: checked with the group
	}
	hi, lo := bits.Mul64(x, uint64(r.Period))
	frac := lo << fracBits
	hi, lo = hi>>fracBits, hi<<fracBits|lo>>fracBits
	if hi >= divisor {
		return tickSat
	}
	q, rem := bits.Div64(hi, lo, divisor)
	if rem|frac != 0 {
		q++
	}
	return int64(min(q, uint64(tickSat)))
}

// below draws a number from [0, n), for n ≥ 1. It returns the upper half of the 128-bit product u·n, where
// u is a 64-bit random number. The bias is less than n/2^64.
func below(rng *rand.PCG, n int64) int64 {
	hi, _ := bits.Mul64(rng.Uint64(), uint64(n))
	return int64(hi)
}

// scale returns ⌈x·n⌉, but at most tickSat. x is a fixed-point number with 32 fractional bits.
func scale(x uint64, n int64) int64 {
	hi, lo := bits.Mul64(x, uint64(n))
	if hi>>(fracBits-2) != 0 {
		return tickSat
	}
	v := hi<<fracBits | lo>>fracBits
	if lo<<fracBits != 0 {
		v++
	}
	return int64(min(v, uint64(tickSat)))
}

// exponential converts 64 random bits, u, to a standard exponential variate, −ln U, in fixed point with 32 fractional
// bits. U is u/2^64, or 1/2^64 if u is 0. The result is at most 64·ln 2 ≈ 44.4.
func exponential(u uint64) uint64 {
	hi, lo := bits.Mul64(negLog2(u), ln2)
	return hi<<fracBits | lo>>fracBits
}

// pareto converts 64 random bits, u, to a Pareto variate, ⌈lo · U^(−1/alpha)⌉, but at most hi. U is u/2^64, or 1/2^64
// if u is 0.
func pareto(u uint64, lo, hi int64, alpha scenario.Decimal) int64 {
	y := negLog2(u) * scenario.DecimalOne / uint64(alpha) // log2 of the factor, Q32
	shift, v := y>>fracBits, scale(exp2(y%one), lo)
	if shift >= 62 || v > hi>>shift {
		return hi
	}
	return v << shift
}

// negLog2 returns −log2(u/2^64) in fixed point with 32 fractional bits; it treats u = 0 as 1. It computes the
// fractional part by interpolation in negLog2Table.
func negLog2(u uint64) uint64 {
	u = max(u, 1)
	zeros := bits.LeadingZeros64(u)
	m := u << zeros << 1 // the bits below the leading one
	return uint64(zeros)*one + interpolate(&negLog2Table, m>>(64-fracBits))
}

// exp2 returns 2^x for x in [0, 1). Both are fixed-point numbers with 32 fractional bits.
func exp2(x uint64) uint64 { return interpolate(&exp2Table, x) }

// interpolate returns the value of a function at x. table holds the values of the function at evenly spaced points
// from 0 to 1. Between two points, interpolate interpolates linearly. x must be less than 1. x and the result are
// fixed-point numbers with 32 fractional bits.
func interpolate(table *[tableSize + 1]uint64, x uint64) uint64 {
	const step = fracBits - tableBits
	i, f := x>>step, int64(x&(1<<step-1))
	a, b := int64(table[i]), int64(table[i+1])
	return uint64(a + (b-a)*f>>step)
}

// tickSat is the result of computations of ticks, such as addSat, that would otherwise exceed wheel.TickMax.
const tickSat = wheel.TickMax + 1

// addSat returns a + b, but at most tickSat. a and b must be between 0 and tickSat.
func addSat(a, b int64) int64 { return min(a+b, tickSat) }

// mulSat returns a · b, but at most tickSat. a and b must not be negative.
func mulSat(a, b int64) int64 {
	if b != 0 && a > tickSat/b {
		return tickSat
	}
	return min(a*b, tickSat)
}
