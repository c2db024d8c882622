package scenario

import (
	"math"
	"testing"
)

func TestCeilDiv(t *testing.T) {
	for _, c := range []struct{ a, b, want int64 }{
		{0, 5, 0}, {1, 5, 1}, {5, 5, 1}, {6, 5, 2}, {-1, 5, 0}, {-4, 5, 0}, {-5, 5, -1}, {-6, 5, -1},
		{math.MaxInt64, 1, math.MaxInt64}, {math.MinInt64, 1, math.MinInt64}, {math.MaxInt64, math.MaxInt64, 1},
	} {
		if got := ceilDiv(c.a, c.b); got != c.want {
			t.Errorf("⌈%d/%d⌉ = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestParseTick(t *testing.T) {
	for text, want := range map[string]int64{"1ns": 1, "1us": 1e3, "1µs": 1e3, "1.5ms": 15e5, "1s": 1e9, "1h30m": 54e11} {
		if got, err := ParseTick(text); err != nil || got != want {
			t.Errorf("%s is %d ns (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "1", "ms", "1 ms", "0s", "-1ms", "1d", "0.1ns", "10000000h"} {
		if got, err := ParseTick(text); err == nil {
			t.Errorf("%q is %d ns", text, got)
		}
	}
}

// TestParseDuration checks that fractions of a nanosecond are rounded up.
func TestParseDuration(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "0ns": 0, "1.0ns": 1, "1.5ns": 2, "0.1ns": 1, ".000000001ms": 1, "1.0000001ms": 1000001, "1.000001ms": 1000001, "0.0000000000001h": 1, "0.0000000001h": 360,
		"1h0.5ns": 36e11 + 1, "0.5ns1h": 36e11 + 1, "1.5µs": 1500, "1.0000000000000000000000000000000001us": 1001, "1.50000000000000000000000000s": 15e8,
		"-0.5ns": 0, "-1.5ns": -1, "-2ms": -2e6, "+0.5ns": 1, "0.0000152587890625m": 915528, "9223372036854775806.5ns": math.MaxInt64,
		"0.00000000000000000000ns": 0, "1.us": 1000, "0.9999999999999999999s": 1e9, "0.6ns0.6ns": 2, "-9223372036854775808.5ns": math.MinInt64, "-0.6ns0.6ns": -1,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("%s is %d ns (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-", ".", "1.5", "5", "9223372036854775807.5ns", "-9223372036854775808ns0.6ns0.6ns"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("%q is %d ns", text, got)
		}
	}
}

func TestParseRate(t *testing.T) {
	for text, want := range map[string]Rate{
		"200/s":   {Count: 200, Period: 1e9},
		"3/100ms": {Count: 3, Period: 1e8},
		"1/1h30m": {Count: 1, Period: 54e11},
		"5/tick":  {Count: 5, Period: 1, Ticks: true},
		"2/µs":    {Count: 2, Period: 1e3},
	} {
		want.Text = text
		if got, err := parseRate(text); err != nil || got != want {
			t.Errorf("%s is %+v (%v), want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "/", "5", "5/", "/s", "0/s", "-1/s", "1.5/s", "5/0s", "5/-1s", "5/ticks", "5/s/s", "4294967296/s"} {
		if got, err := parseRate(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}
