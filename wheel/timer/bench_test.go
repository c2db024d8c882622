package timer

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

const benchPending = 1_000_000

// distance draws how far ahead a benchmark's timers are: 1 s to 1 h.
func distance() time.Duration { return time.Second + time.Duration(rand.Int64N(int64(time.Hour))) }

func nothing() {}

// full gives a wheel with a million timers pending.
func full(b *testing.B, shards int) *Wheel {
	w, err := New(Execute(Inline), Shards(shards))
	if err != nil {
		b.Fatal(err)
	}
	for range benchPending {
		if _, err := w.AfterFunc(distance(), nothing); err != nil {
			b.Fatal(err)
		}
	}
	b.Cleanup(func() { w.Shutdown(b.Context()) })
	return w
}

// crowd has package time hold as many.
func crowd(b *testing.B) {
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
}

// BenchmarkScheduleStop arms a timer and stops it, beside a million pending.
func BenchmarkScheduleStop(b *testing.B) {
	b.Run("wheel", func(b *testing.B) {
		w := full(b, 1)
		b.ReportAllocs()
		for b.Loop() {
			t, _ := w.AfterFunc(time.Minute, nothing)
			t.Stop()
		}
	})
	b.Run("time", func(b *testing.B) {
		crowd(b)
		b.ReportAllocs()
		for b.Loop() {
			time.AfterFunc(time.Minute, nothing).Stop()
		}
	})
}

// BenchmarkScheduleStopParallel is the same from every core.
func BenchmarkScheduleStopParallel(b *testing.B) {
	b.Run("wheel", func(b *testing.B) {
		w := full(b, runtime.GOMAXPROCS(0))
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				t, _ := w.AfterFunc(time.Minute, nothing)
				t.Stop()
			}
		})
	})
	b.Run("time", func(b *testing.B) {
		crowd(b)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				time.AfterFunc(time.Minute, nothing).Stop()
			}
		})
	})
}

// BenchmarkRearm resets a random one of a million timers.
func BenchmarkRearm(b *testing.B) {
	b.Run("wheel", func(b *testing.B) {
		w := full(b, 1)
		timers := make([]Timer, benchPending)
		for k := range timers {
			timers[k], _ = w.AfterFunc(distance(), nothing)
		}
		b.ReportAllocs()
		for b.Loop() {
			timers[rand.IntN(len(timers))].Reset(time.Minute)
		}
	})
	b.Run("time", func(b *testing.B) {
		timers := make([]*time.Timer, benchPending)
		for k := range timers {
			timers[k] = time.AfterFunc(distance(), nothing)
		}
		b.ReportAllocs()
		for b.Loop() {
			timers[rand.IntN(len(timers))].Reset(time.Minute)
		}
		for _, t := range timers {
			t.Stop()
		}
	})
}

// BenchmarkMemory tells the bytes that a pending timer takes, its callback included.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		w := full(b, 1)
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/benchPending, "B/timer")
		runtime.KeepAlive(w)
	}
}
