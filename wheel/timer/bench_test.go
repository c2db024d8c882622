package timer

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// Each benchmark measures the wheel and package time in the same run: compare these two, not
// figures of different days. Use -count 10 or more and take medians. A million timers are pending,
// due in 1 s to 1 h, with ticks of 1 ms. Other libraries, and benchmarks that take seconds (expiry,
// lateness, idling, garbage collection), are in wheel/wheeltest/peers.
const benchPending = 1_000_000

// distance returns a random delay of a benchmark's timer.
func distance() time.Duration {
	return time.Second + time.Duration(rand.Int64N(int64(time.Hour-time.Second)))
}

// full returns a wheel with a million pending timers.
func full(b *testing.B) (*Wheel, []Timer) {
	w, err := New(WithExecutor(Inline))
	if err != nil {
		b.Fatal(err)
	}
	timers := make([]Timer, benchPending)
	for k := range timers {
		timers[k] = w.AfterFunc(distance(), nothing)
	}
	b.Cleanup(func() { w.Shutdown(b.Context()); runtime.GC() })
	return w, timers
}

// occupied starts as many timers of package time.
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

// BenchmarkScheduleStop schedules a timer and stops it, with a million pending.
func BenchmarkScheduleStop(b *testing.B) {
	b.Run("wheel", func(b *testing.B) {
		w, _ := full(b)
		b.ReportAllocs()
		for b.Loop() {
			t := w.AfterFunc(time.Minute, nothing)
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
				t := w.AfterFunc(time.Minute, nothing)
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

// BenchmarkRearm stops a random one of the million and schedules it anew, at another delay.
func BenchmarkRearm(b *testing.B) {
	b.Run("wheel", func(b *testing.B) {
		w, timers := full(b)
		b.ReportAllocs()
		for b.Loop() {
			k := rand.IntN(len(timers))
			timers[k].Stop()
			timers[k] = w.AfterFunc(distance(), nothing)
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

// BenchmarkMemory reports the bytes per pending timer, including its callback but not the
// program's own handle.
func BenchmarkMemory(b *testing.B) {
	b.Run("wheel", func(b *testing.B) {
		for b.Loop() {
			before := heap()
			w, _ := full(b)
			b.ReportMetric(float64(heap()-before)/benchPending, "B/timer")
			runtime.KeepAlive(w)
		}
	})
	b.Run("time", func(b *testing.B) {
		for b.Loop() {
			before := heap()
			timers := occupied(b)
			b.ReportMetric(float64(heap()-before)/benchPending-pointerBytes, "B/timer")
			runtime.KeepAlive(timers)
		}
	})
}

// pointerBytes is the size of the program's own handle of a timer of package time.
const pointerBytes = 8

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkReset resets a random one of the million, by its handle and by its key.
func BenchmarkReset(b *testing.B) {
	b.Run("handle", func(b *testing.B) {
		_, timers := full(b)
		k := 0
		for b.Loop() {
			k = (k + 7919) % len(timers)
			timers[k].Reset(30 * time.Second)
		}
	})
	b.Run("time", func(b *testing.B) {
		timers, k := occupied(b), 0
		for b.Loop() {
			k = (k + 7919) % len(timers)
			timers[k].Reset(30 * time.Second)
		}
	})
	b.Run("key", func(b *testing.B) {
		keyed, keys := fullKeyed(b)
		k := 0
		for b.Loop() {
			k = (k + 7919) % len(keys)
			keyed.Reset(keys[k], 30*time.Second)
		}
	})
}

// fullKeyed returns a million keyed timers and their keys.
func fullKeyed(b *testing.B) (*Keyed[string], []string) {
	w, err := New(WithExecutor(Inline))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { w.Shutdown(b.Context()); runtime.GC() })
	keyed, keys := NewKeyed[string](w), make([]string, benchPending)
	for k := range keys {
		keys[k] = fmt.Sprint("connection-", k)
		keyed.AfterFunc(keys[k], distance(), func(string) {})
	}
	return keyed, keys
}

// BenchmarkMemoryKeyed is BenchmarkMemory for timers with keys, not including the text of the keys.
func BenchmarkMemoryKeyed(b *testing.B) {
	for b.Loop() {
		before := heap()
		keyed, keys := fullKeyed(b)
		after := heap()
		texts := 0
		for _, key := range keys {
			texts += 16 + (len(key)+15)/16*16
		}
		b.ReportMetric(float64(after-before-int64(texts))/benchPending, "B/timer")
		runtime.KeepAlive(keyed)
	}
}

// BenchmarkArgument schedules and stops a timer whose function needs an argument, as a closure and
// as a method value, and for comparison one without an argument. See docs/decisions/0007.
func BenchmarkArgument(b *testing.B) {
	w, err := New(WithExecutor(Inline))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { w.Close() })
	c := &connection{}
	for _, way := range []struct {
		name string
		f    func(c *connection) func()
	}{
		{"none", func(*connection) func() { return nothing }},
		{"closure", func(c *connection) func() { return func() { c.timeout() } }},
		{"method", func(c *connection) func() { return c.timeout }},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				t := w.AfterFunc(time.Minute, way.f(c))
				t.Stop()
			}
		})
	}
}

// connection is the argument of such a function.
type connection struct{ ended bool }

func (c *connection) timeout() { c.ended = true }
