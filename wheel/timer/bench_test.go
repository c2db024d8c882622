//go:build unix

package timer

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// What is measured here is measured of package time beside it, in the same run:
// compare the two, not either with another day's. Use -count 10 or more and take
// medians. A million timers are pending, due in 1 s to 1 h, on ticks of 1 ms.
const benchPending = 1_000_000

// distance draws how far ahead a benchmark's timers are.
func distance() time.Duration {
	return time.Second + time.Duration(rand.Int64N(int64(time.Hour-time.Second)))
}

// full gives a wheel with a million timers pending.
func full(b *testing.B) (*Wheel, []Timer) {
	w, err := New(Execute(Inline))
	if err != nil {
		b.Fatal(err)
	}
	timers := make([]Timer, benchPending)
	for k := range timers {
		if timers[k], err = w.AfterFunc(distance(), nothing); err != nil {
			b.Fatal(err)
		}
	}
	b.Cleanup(func() { w.Shutdown(b.Context()); runtime.GC() })
	return w, timers
}

// occupied has package time hold as many.
func occupied(b *testing.B) []*time.Timer {
	timers := make([]*time.Timer, benchPending)
	for k := range timers {
		timers[k] = time.AfterFunc(distance(), nothing)
	}
	b.Cleanup(func() {
		for _, t := range timers {
			t.Stop()
		}
		runtime.GC()
	})
	return timers
}

// BenchmarkScheduleStop arms a timer and stops it, beside a million pending.
func BenchmarkScheduleStop(b *testing.B) {
	b.Run("wheel", func(b *testing.B) {
		w, _ := full(b)
		b.ReportAllocs()
		for b.Loop() {
			t, _ := w.AfterFunc(time.Minute, nothing)
			t.Stop()
		}
	})
	b.Run("time", func(b *testing.B) {
		occupied(b)
		b.ReportAllocs()
		for b.Loop() {
			time.AfterFunc(time.Minute, nothing).Stop()
		}
	})
}

// BenchmarkScheduleStopParallel is the same from two goroutines.
func BenchmarkScheduleStopParallel(b *testing.B) {
	b.Run("wheel", func(b *testing.B) {
		w, _ := full(b)
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				t, _ := w.AfterFunc(time.Minute, nothing)
				t.Stop()
			}
		})
	})
	b.Run("time", func(b *testing.B) {
		occupied(b)
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				time.AfterFunc(time.Minute, nothing).Stop()
			}
		})
	})
}

// BenchmarkRearm stops a random one of the million and arms it anew, elsewhere.
func BenchmarkRearm(b *testing.B) {
	b.Run("wheel", func(b *testing.B) {
		w, timers := full(b)
		b.ReportAllocs()
		for b.Loop() {
			k := rand.IntN(len(timers))
			timers[k].Stop()
			timers[k], _ = w.AfterFunc(distance(), nothing)
		}
	})
	b.Run("time", func(b *testing.B) {
		timers := occupied(b)
		b.ReportAllocs()
		for b.Loop() {
			k := rand.IntN(len(timers))
			timers[k].Stop()
			timers[k] = time.AfterFunc(distance(), nothing)
		}
	})
}

// BenchmarkMemory tells the bytes that a pending timer takes, its callback included
// and the program's own handle left out.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		before := heap()
		w, _ := full(b)
		b.ReportMetric(float64(heap()-before)/benchPending, "B/timer")
		runtime.KeepAlive(w)
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// cpu is what the process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkExpiry tells the processor time that a timer's expiry takes, of a million
// due within a second.
func BenchmarkExpiry(b *testing.B) {
	expire := func(b *testing.B, arm func(d time.Duration, f func())) {
		for b.Loop() {
			var fired atomic.Int64
			count := func() { fired.Add(1) }
			for range benchPending {
				arm(2*time.Second+rand.N(time.Second), count)
			}
			runtime.GC()
			begun := cpu()
			for fired.Load() < benchPending {
				time.Sleep(50 * time.Millisecond)
			}
			b.ReportMetric(float64(cpu()-begun)/benchPending, "cpu-ns/timer")
		}
	}
	b.Run("wheel", func(b *testing.B) {
		w, err := New(Execute(Inline))
		if err != nil {
			b.Fatal(err)
		}
		defer w.Shutdown(b.Context())
		expire(b, func(d time.Duration, f func()) { w.AfterFunc(d, f) })
	})
	b.Run("time", func(b *testing.B) {
		expire(b, func(d time.Duration, f func()) { time.AfterFunc(d, f) })
	})
}

// BenchmarkCollection tells how long the garbage collector takes beside ten million
// pending timers.
func BenchmarkCollection(b *testing.B) {
	const pending = 10_000_000
	collect := func(b *testing.B) {
		runtime.GC()
		begun := time.Now()
		runtime.GC()
		b.ReportMetric(float64(time.Since(begun))/1e6, "ms/cycle")
	}
	b.Run("wheel", func(b *testing.B) {
		for b.Loop() {
			w, err := New()
			if err != nil {
				b.Fatal(err)
			}
			for range pending {
				w.AfterFunc(time.Minute+distance(), nothing)
			}
			collect(b)
			w.Shutdown(b.Context())
		}
	})
	b.Run("time", func(b *testing.B) {
		for b.Loop() {
			timers := make([]*time.Timer, pending)
			for k := range timers {
				timers[k] = time.AfterFunc(time.Minute+distance(), nothing)
			}
			collect(b)
			for _, t := range timers {
				t.Stop()
			}
		}
	})
}

// BenchmarkIdle tells the processor time of five seconds in which nothing is due.
func BenchmarkIdle(b *testing.B) {
	idle := func(b *testing.B) {
		runtime.GC()
		time.Sleep(100 * time.Millisecond)
		begun := cpu()
		time.Sleep(5 * time.Second)
		b.ReportMetric(float64(cpu()-begun)/1e6, "cpu-ms/5s")
	}
	for name, n := range map[string]int{"one": 1, "million": benchPending} {
		b.Run("wheel/"+name, func(b *testing.B) {
			for b.Loop() {
				w, err := New()
				if err != nil {
					b.Fatal(err)
				}
				for range n {
					w.AfterFunc(time.Minute+distance(), nothing)
				}
				idle(b)
				w.Shutdown(b.Context())
			}
		})
		b.Run("time/"+name, func(b *testing.B) {
			for b.Loop() {
				timers := make([]*time.Timer, n)
				for k := range timers {
					timers[k] = time.AfterFunc(time.Minute+distance(), nothing)
				}
				idle(b)
				for _, t := range timers {
					t.Stop()
				}
			}
		})
	}
}

// BenchmarkLateness tells how late a sparse stream of timers fires: p50 and p99, and
// how many were early.
func BenchmarkLateness(b *testing.B) {
	late := func(b *testing.B, arm func(d time.Duration, f func())) {
		for b.Loop() {
			const timers = 2000
			over := make(chan time.Duration, timers)
			for range timers {
				d := rand.N(5 * time.Millisecond)
				begun := time.Now()
				arm(d, func() { over <- time.Since(begun) - d })
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
		}
	}
	b.Run("wheel", func(b *testing.B) {
		w, err := New()
		if err != nil {
			b.Fatal(err)
		}
		defer w.Shutdown(b.Context())
		late(b, func(d time.Duration, f func()) { w.AfterFunc(d, f) })
	})
	b.Run("time", func(b *testing.B) { late(b, func(d time.Duration, f func()) { time.AfterFunc(d, f) }) })
}
