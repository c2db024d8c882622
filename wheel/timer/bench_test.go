package timer

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// What is measured here is measured of package time beside it, in the same run:
// compare the two, not either with another day's. Use -count 10 or more and take
// medians. A million timers are pending, due in 1 s to 1 h, on ticks of 1 ms.
// Other libraries, and what takes seconds (expiry, lateness, rest, collection), are
// measured in wheel/wheeltest/peers.
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
