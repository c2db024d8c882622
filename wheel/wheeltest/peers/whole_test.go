//go:build unix

package peers

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	ourtimer "github.com/wheelscope/wheelscope/wheel/timer"
)

// cpu returns the processor time that the process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// expiry reports the processor time per expiry, for a million timers due within a
// second.
func expiry[H any](b *testing.B, a api[H]) {
	single(b, func() {
		var fired atomic.Int64
		count := func() { fired.Add(1) }
		var h H
		for range pending {
			a.after(&h, 2*time.Second+rand.N(time.Second), count)
		}
		runtime.GC()
		begun := cpu()
		for fired.Load() < pending {
			time.Sleep(50 * time.Millisecond)
		}
		b.ReportMetric(float64(cpu()-begun)/pending, "cpu-ns/timer")
	})
	a.end()
}

// lateness reports how late a sparse stream of timers fires: p50 and p99, and how many were
// early.
func lateness[H any](b *testing.B, a api[H]) {
	single(b, func() {
		const timers = 2000
		over := make(chan time.Duration, timers)
		var h H
		for range timers {
			d := rand.N(5 * time.Millisecond)
			begun := time.Now()
			a.after(&h, d, func() { over <- time.Since(begun) - d })
			time.Sleep(200 * time.Microsecond)
		}
		all := make([]time.Duration, timers)
		early := 0
		for k := range all {
			if all[k] = <-over; all[k] < 0 {
				early++
			}
		}
		slices.Sort(all)
		b.ReportMetric(float64(all[timers/2])/1e6, "ms-p50")
		b.ReportMetric(float64(all[timers*99/100])/1e6, "ms-p99")
		b.ReportMetric(float64(early), "early")
	})
	a.end()
}

// idle reports the processor time of five seconds in which none of n timers is due.
func idle[H any](b *testing.B, a api[H], n int) {
	single(b, func() {
		all := armed(a, n, a.stays)
		runtime.GC()
		time.Sleep(100 * time.Millisecond)
		begun := cpu()
		time.Sleep(5 * time.Second)
		b.ReportMetric(float64(cpu()-begun)/1e6, "cpu-ms/5s")
		stop(a, all)
	})
	a.end()
}

func idleOne[H any](b *testing.B, a api[H]) { idle(b, a, 1) }

func idleMillion[H any](b *testing.B, a api[H]) { idle(b, a, pending) }

// collected reports the duration of a garbage collection with ten million pending timers.
func collected[H any](b *testing.B, a api[H]) { oneCollection(b, a, a.stays) }

// collectedHeld is the same in a program that keeps its handles, in order to stop its timers.
func collectedHeld[H any](b *testing.B, a api[H]) { oneCollection(b, a, true) }

func oneCollection[H any](b *testing.B, a api[H], held bool) {
	single(b, func() {
		all := armed(a, 10*pending, held)
		runtime.GC()
		begun := time.Now()
		runtime.GC()
		b.ReportMetric(float64(time.Since(begun))/1e6, "ms/cycle")
		stop(a, all)
	})
	a.end()
}

// armed schedules n timers for later and returns their handles if held is set. Benchmarks without
// handles set it only for package time, whose timers must be stopped at the end.
func armed[H any](a api[H], n int, held bool) (kept []H) {
	if held {
		kept = make([]H, 0, n)
	}
	var h H
	for k := range n {
		if held {
			kept = append(kept, h)
			a.after(&kept[k], time.Minute+distance(), nothing)
		} else {
			a.after(&h, time.Minute+distance(), nothing)
		}
	}
	return kept
}

func BenchmarkExpiry(b *testing.B) {
	forEach(b, expiry, expiry, expiry, expiry)
}

// BenchmarkExpiryBySlots runs expiry on our wheel with levels of 64 slots, and with a finest
// level that holds all timers due within four seconds, so that none cascades.
func BenchmarkExpiryBySlots(b *testing.B) {
	for _, slots := range []int{64, 4096} {
		measure(b, "wheelscope", fmt.Sprintf("slots=%d/", slots), func(b *testing.B) {
			expiry(b, ourAPI(b, ourtimer.WithSlots(slots, 64, 64, 64, 64, 64)))
		})
	}
}

func BenchmarkLateness(b *testing.B) {
	forEach(b, lateness, lateness, lateness, lateness)
}

func BenchmarkIdleOne(b *testing.B) {
	forEach(b, idleOne, idleOne, idleOne, idleOne)
}

func BenchmarkIdleMillion(b *testing.B) {
	forEach(b, idleMillion, idleMillion, idleMillion, idleMillion)
}

func BenchmarkCollection(b *testing.B) {
	forEach(b, collected, collected, collected, collected)
}

func BenchmarkCollectionHeld(b *testing.B) {
	forEach(b, collectedHeld, collectedHeld, collectedHeld, collectedHeld)
}
