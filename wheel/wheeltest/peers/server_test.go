package peers

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/RussellLuo/timingwheel"
	"github.com/antlabs/timer"
	ourtimer "github.com/wheelscope/wheelscope/wheel/timer"
)

// server is what a server does with the timeouts of its connections, in one of the peers. H is the type of a timer,
// which a connection contains.
type server[H any] struct {
	api[H]
	reset func(*H, time.Duration) // nil if the peer has no Reset
}

func serverTime(*testing.B) server[*time.Timer] {
	return server[*time.Timer]{standardAPI(), func(t **time.Timer, d time.Duration) { (*t).Reset(d) }}
}

func serverWheelscope(b *testing.B) server[ourtimer.Timer] {
	return server[ourtimer.Timer]{ourAPI(b), func(t *ourtimer.Timer, d time.Duration) { t.Reset(d) }}
}

// operations are the operations on one of n pending timers that BenchmarkServer measures. The delay of 60 s is that of
// an idle timeout that every packet moves; random delays are between 1 s and 1 h.
var operations = []struct {
	name  string
	delay func(*rand.Rand) time.Duration
	reset bool
}{
	{"reset-60s", minute, true},
	{"reset-random", random, true},
	{"stop+AfterFunc-60s", minute, false},
	{"stop+AfterFunc-random", random, false},
	{"schedule+stop", nil, false},
}

func minute(*rand.Rand) time.Duration { return time.Minute }

func random(r *rand.Rand) time.Duration {
	return time.Second + time.Duration(r.Int64N(int64(time.Hour-time.Second)))
}

// BenchmarkServer compares the operations of a server at four numbers of pending timers, from one and from two
// goroutines.
func BenchmarkServer(b *testing.B) {
	for _, op := range operations {
		for _, n := range []int{1_000, 10_000, 200_000, 1_000_000} {
			for _, goroutines := range []int{1, 2} {
				path := fmt.Sprintf("%s/pending=%d/goroutines=%d/", op.name, n, goroutines)
				measure(b, "time", path, func(b *testing.B) { operate(b, serverTime(b), op.delay, op.reset, n, goroutines) })
				if !op.reset {
					measure(b, "RussellLuo", path, func(b *testing.B) {
						operate(b, server[*timingwheel.Timer]{russellLuoAPI(), nil}, op.delay, op.reset, n, goroutines)
					})
					measure(b, "antlabs", path, func(b *testing.B) {
						operate(b, server[timer.TimeNoder]{antlabsAPI(), nil}, op.delay, op.reset, n, goroutines)
					})
				}
				measure(b, "wheelscope", path, func(b *testing.B) { operate(b, serverWheelscope(b), op.delay, op.reset, n, goroutines) })
			}
		}
	}
}

// operate measures an operation on random timers of n. Each goroutine has its own part of them. A nil delay stands for
// scheduling another timer by 60 s and stopping it.
func operate[H any](b *testing.B, s server[H], delay func(*rand.Rand) time.Duration, reset bool, n, goroutines int) {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]H, n)
	for k := range all {
		s.after(&all[k], random(r), nothing)
	}
	if reset { // as after a while of operation
		for k := range all {
			s.reset(&all[k], delay(r))
		}
	}
	defer func() {
		for k := range all {
			s.stop(&all[k])
		}
		s.end()
		runtime.GC()
	}()
	runtime.GC()
	b.ReportAllocs()
	b.ResetTimer()
	var group sync.WaitGroup
	for g := range goroutines {
		group.Go(func() {
			r := rand.New(rand.NewPCG(3, uint64(g)))
			part := all[g*n/goroutines : (g+1)*n/goroutines]
			var h H
			for range b.N / goroutines {
				k := r.IntN(len(part))
				switch {
				case delay == nil:
					s.after(&h, time.Minute, nothing)
					s.stop(&h)
				case reset:
					s.reset(&part[k], delay(r))
				default:
					s.stop(&part[k])
					s.after(&part[k], delay(r), nothing)
				}
			}
		})
	}
	group.Wait()
	b.StopTimer()
}

// Parameters of BenchmarkSteady: each of the timers is reset once per steadyEvery, so that none fires, for three
// timeouts.
const (
	steadyTimers  = 200_000
	steadyTimeout = 3 * time.Second
	steadyEvery   = time.Second
)

// BenchmarkSteady measures the processor time of a server in steady state, including what the library does in its own
// goroutines. Run it with -benchtime 1x.
func BenchmarkSteady(b *testing.B) {
	measure(b, "time", "", func(b *testing.B) { steady(b, serverTime(b)) })
	measure(b, "wheelscope", "", func(b *testing.B) { steady(b, serverWheelscope(b)) })
}

func steady[H any](b *testing.B, s server[H]) {
	single(b, func() {
		all := make([]H, steadyTimers)
		for k := range all {
			s.after(&all[k], steadyTimeout, func() { b.Error("a timer fired") })
		}
		runtime.GC()
		before, begun, next := cpu(), time.Now(), 0
		for passed := time.Duration(0); passed < 3*steadyTimeout; passed = time.Since(begun) {
			for due := int(passed * steadyTimers / steadyEvery); next < due; next++ {
				s.reset(&all[next%steadyTimers], steadyTimeout)
			}
			time.Sleep(time.Millisecond)
		}
		b.ReportMetric(float64((cpu()-before).Milliseconds())/(3*steadyTimeout).Seconds(), "ms/s")
		for k := range all {
			s.stop(&all[k])
		}
	})
	s.end()
}
