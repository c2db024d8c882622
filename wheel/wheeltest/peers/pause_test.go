package peers

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// Parameters of BenchmarkPause.
const (
	pauseLead = 3 * time.Second       // in which the timers of the storm are scheduled
	pauseEve  = 20 * time.Millisecond // before the storm, in which the caller does not sleep
	pauseGap  = 10 * time.Microsecond // between two calls
	pauseWait = time.Minute           // maximum duration of a storm
)

// pause reports how long one schedule and stop take while a million other timers, due at the same
// instant, fire. A long call is counted again with 10 µs less, 20 µs less and so on, as
// callers that come every 10 µs would have waited.
func pause[H any](b *testing.B, a api[H]) {
	single(b, func() {
		var fired atomic.Int64
		count := func() { fired.Add(1) }
		var h H
		due := time.Now().Add(pauseLead)
		for range pending {
			a.after(&h, time.Until(due), count)
		}
		if time.Now().After(due) {
			b.Fatal("scheduling took too long: the timers are not due at one instant")
		}
		time.Sleep(time.Until(due) - pauseEve)
		for time.Now().Before(due) {
		}
		var waits []time.Duration
		for end := due.Add(pauseWait); fired.Load() < pending; {
			begun := time.Now()
			if begun.After(end) {
				b.Fatalf("%d of %d timers fired", fired.Load(), pending)
			}
			a.after(&h, time.Minute, nothing)
			a.stop(&h)
			for wait := time.Since(begun); wait > 0; wait -= pauseGap {
				waits = append(waits, wait)
			}
			for next := time.Now().Add(pauseGap); time.Now().Before(next); {
			}
		}
		slices.Sort(waits)
		b.ReportMetric(float64(waits[len(waits)*999/1000])/1e6, "ms-p99.9")
		b.ReportMetric(float64(waits[len(waits)-1])/1e6, "ms-max")
	})
	a.end()
}

// BenchmarkPause runs pause on each peer.
func BenchmarkPause(b *testing.B) {
	forEach(b, pause, pause, pause, pause)
}
