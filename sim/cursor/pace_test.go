package cursor

import (
	"math"
	"testing"
	"time"
)

// The tick that is due follows from the elapsed time, however often it is computed.
func TestPaceGoesByTheClock(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, rate := range []float64{RateMin, 1, 3, 7, 30, 60, 1000, 1e6, RateMax} {
		p := pace{rate: rate}
		p.anchor(begin, 100)
		for _, wait := range []time.Duration{0, time.Nanosecond, time.Millisecond, time.Second, time.Minute, 24 * time.Hour, 365 * 24 * time.Hour} {
			got, want := p.due(begin.Add(wait)), 100+wait.Seconds()*rate
			if diff := math.Abs(float64(got) - math.Floor(want)); diff > 1+want*1e-9 {
				t.Errorf("%v ticks a second, after %v: %d, want %.0f", rate, wait, got, want)
			}
		}
	}
}

// Each tick is due at exactly the time that next returns, and not before.
func TestPaceNextIsWhenTheTickIsDue(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, rate := range []float64{RateMin, 1, 3, 7, 29.97, 60, 999, 1e5} {
		p := pace{rate: rate}
		p.anchor(begin, 5)
		now, shown := begin, int64(5)
		for range 2000 {
			wait := p.next(now, shown)
			if early := now.Add(wait - time.Duration(0.01*float64(time.Second)/rate)); p.due(early) > shown {
				t.Fatalf("%v ticks a second: tick %d is due %v too early", rate, shown+1, now.Add(wait).Sub(early))
			}
			now = now.Add(wait)
			if p.due(now) != shown+1 {
				t.Fatalf("%v ticks a second: at its moment tick %d is due, want %d", rate, p.due(now), shown+1)
			}
			shown++
		}
	}
}

// If the clock is set back, or far ahead, due returns no tick before the anchor or past the
// range.
func TestPaceOfAClockThatJumps(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := pace{rate: RateMax}
	p.anchor(begin, 7)
	if got := p.due(begin.Add(-time.Hour)); got != 7 {
		t.Errorf("an hour back: %d", got)
	}
	p.anchor(begin, math.MaxInt64-10)
	if got := p.due(begin.Add(24 * time.Hour)); got != math.MaxInt64 {
		t.Errorf("past the range: %d", got)
	}
	if got := p.next(begin, math.MaxInt64-20); got != 0 {
		t.Errorf("a tick that was due long ago: %v", got)
	}
	if p := (pace{}); p.due(begin) != math.MaxInt64 || p.next(begin, 3) != 0 {
		t.Error("as fast as possible waits")
	}
}

func TestRateLimits(t *testing.T) {
	for _, rate := range []float64{0, RateMin, 1, 59.94, RateMax} {
		if err := checkRate(rate); err != nil {
			t.Errorf("%v: %v", rate, err)
		}
	}
	for _, rate := range []float64{-1, -0.1, 0.09, RateMax * 1.01, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if checkRate(rate) == nil {
			t.Errorf("%v is taken", rate)
		}
	}
}
