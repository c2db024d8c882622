package timer

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// BenchmarkMoves compares the operations of a server on one of n pending timers with package time: Reset by 60 s
// (packet), Reset by a random delay of 1 s to 1 h (random).
func BenchmarkMoves(b *testing.B) {
	for _, n := range []int{1000, 10_000, 200_000, 1_000_000} {
		for _, delay := range []struct {
			name string
			d    func(r *rand.Rand) time.Duration
		}{{"60s", func(*rand.Rand) time.Duration { return time.Minute }}, {"random", func(r *rand.Rand) time.Duration {
			return time.Second + time.Duration(r.Int64N(int64(time.Hour-time.Second)))
		}}} {
			for _, procs := range []int{1, 2} {
				b.Run(fmt.Sprintf("reset/%s/n=%d/goroutines=%d/time", delay.name, n, procs), func(b *testing.B) {
					r := rand.New(rand.NewPCG(1, 2))
					timers := make([]*time.Timer, n)
					for k := range timers {
						timers[k] = time.AfterFunc(delay.d(r), nothing)
					}
					defer func() {
						for _, t := range timers {
							t.Stop()
						}
					}()
					resetAll(b, procs, n, func(k int, r *rand.Rand) { timers[k].Reset(delay.d(r)) })
				})
				b.Run(fmt.Sprintf("reset/%s/n=%d/goroutines=%d/wheel", delay.name, n, procs), func(b *testing.B) {
					w, err := New(WithExecutor(Inline))
					if err != nil {
						b.Fatal(err)
					}
					defer w.Shutdown(b.Context())
					r := rand.New(rand.NewPCG(1, 2))
					timers := make([]*Timer, n)
					for k := range timers {
						timers[k] = w.AfterFunc(delay.d(r), nothing)
					}
					resetAll(b, procs, n, func(k int, r *rand.Rand) { timers[k].Reset(delay.d(r)) })
				})
			}
		}
	}
}

func resetAll(b *testing.B, procs, n int, reset func(k int, r *rand.Rand)) {
	runtime.GC()
	b.ResetTimer()
	done := make(chan bool)
	for g := range procs {
		go func() {
			r := rand.New(rand.NewPCG(7, uint64(g)))
			part := n / procs
			for range b.N / procs {
				reset(g*part+r.IntN(part), r)
			}
			done <- true
		}()
	}
	for range procs {
		<-done
	}
}
