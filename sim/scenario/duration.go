package scenario

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

const (
	defaultTick  = "1ms"
	WantDuration = `a duration such as "250us", "1.5s" or "1h30m" (at most 292 years)`
	wantSpan     = `a whole number of ticks or a duration such as "5ms"`
	wantRate     = `a rate such as "200/s", "3/100ms" or "5/tick"`
	tickUnit     = "tick" // unit in a rate such as "5/tick", a number of timers per base tick
)

// Span is a length of time in a scenario: a number of base ticks, or a duration rounded up to a whole
// number of base ticks.
type Span struct {
	Ticks int64
	Text  string // duration as written; "" for a number of ticks
}

// exactBytes is the maximum length, in bytes, of a text for which ParseDuration rounds up to a whole nanosecond.
// For a longer text, ParseDuration returns the result of time.ParseDuration, which drops fractions of a nanosecond.
const exactBytes = 64

// ParseDuration parses a duration like time.ParseDuration and returns it in nanoseconds. Unlike
// time.ParseDuration, which drops a fraction of a nanosecond, it rounds up if text has at most 64 bytes.
func ParseDuration(text string) (int64, error) {
	d, err := time.ParseDuration(text)
	if err != nil || !strings.Contains(text, ".") || len(text) > exactBytes {
		return int64(d), err
	}
	var whole uint64
	var places [exactBytes]int64 // decimal places of a nanosecond, not carried yet
	for rest := strings.TrimLeft(text, "+-"); rest != ""; {
		size := len(rest) - len(strings.TrimLeft(rest, "0123456789."))
		before, after, _ := strings.Cut(rest[:size], ".")
		rest = rest[size:]
		size = len(rest) // of the unit
		if next := strings.IndexAny(rest, "0123456789."); next >= 0 {
			size = next
		}
		number, _ := strconv.ParseUint(before, 10, 64)
		unit, _ := time.ParseDuration("1" + rest[:size])
		rest = rest[size:]
		whole += number * uint64(unit)
		for i, digit := range after {
			places[i] += int64(digit-'0') * int64(unit)
		}
	}
	carry, left := int64(0), false
	for i := len(places) - 1; i >= 0; i-- {
		carry += places[i]
		left = left || carry%10 != 0
		carry /= 10
	}
	whole += uint64(carry)
	negative, limit := text[0] == '-', uint64(math.MaxInt64)
	switch {
	case negative:
		limit++ // without its fraction, the duration is rounded up
	case left:
		whole++
	}
	switch {
	case whole > limit:
		return 0, errors.New("too long")
	case negative:
		return -int64(whole), nil
	}
	return int64(whole), nil
}

// ParseTick parses the length of a base tick and returns it in nanoseconds. A length of less than 1 ns is an error.
func ParseTick(text string) (int64, error) {
	d, err := time.ParseDuration(text)
	if err == nil && d < 1 {
		err = errors.New("not positive")
	}
	return int64(d), err
}

// ceilDiv returns ⌈a/b⌉ for b > 0. For example, ceilDiv(-1500, 1000) is -1.
func ceilDiv(a, b int64) int64 {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}

// Rate is the mean number of timers that a Poisson process schedules in a period, such as "200/s".
type Rate struct {
	Text   string // the rate as written
	Count  int64  // number of timers in each period, 1 or more
	Period int64  // length of a period in ns, or in base ticks if Ticks is set
	Ticks  bool
}

// parseRate parses a rate of the form COUNT/PERIOD. PERIOD is "tick", a duration, or a unit without
// a number ("s" means "1s").
func parseRate(text string) (Rate, error) {
	count, period, ok := strings.Cut(text, "/")
	n, err := strconv.ParseInt(count, 10, 32)
	switch {
	case !ok || err != nil || n < 1:
		return Rate{}, errors.New("no count of arrivals")
	case period == tickUnit:
		return Rate{text, n, 1, true}, nil
	case period != "" && (period[0] < '0' || period[0] > '9'):
		period = "1" + period
	}
	ns, err := ParseTick(period)
	return Rate{Text: text, Count: n, Period: ns}, err
}
