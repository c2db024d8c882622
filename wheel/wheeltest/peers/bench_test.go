package peers

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/RussellLuo/timingwheel"
	"github.com/antlabs/timer"
	ourtimer "github.com/wheelscope/wheelscope/wheel/timer"
)

// A million timers are pending in each peer, due in 1 s to 1 h. Compare only figures of one run:
// `make peers-bench` interleaves ten runs, in which each benchmark of each peer has its own
// process, so that none uses a heap that another has used, and prints the medians with one column
// per peer.
const pending = 1_000_000

var only = flag.String("peer", "", "measure this peer alone")

// measure runs a benchmark of a peer.
func measure(b *testing.B, peer, path string, f func(b *testing.B)) {
	if *only == "" || *only == peer {
		b.Run(path+"peer="+peer, f)
	}
}

func distance() time.Duration {
	return time.Second + time.Duration(rand.Int64N(int64(time.Hour-time.Second)))
}

func nothing() {}

// api contains the functions with which a peer is measured. Handles are not moved, since some must
// not be copied.
type api[H any] struct {
	after func(h *H, d time.Duration, f func())
	stop  func(*H) bool
	end   func()
	stays bool // timers stay pending after end, unless they are stopped
}

// forEach runs a benchmark on every peer; each of its functions is called directly.
func forEach(b *testing.B, standard func(*testing.B, api[*time.Timer]), russellLuo func(*testing.B, api[*timingwheel.Timer]),
	antlabs func(*testing.B, api[timer.TimeNoder]), ours func(*testing.B, api[ourtimer.Timer]),
) {
	measure(b, "time", "", func(b *testing.B) {
		standard(b, standardAPI())
	})
	measure(b, "RussellLuo", "", func(b *testing.B) {
		russellLuo(b, russellLuoAPI())
	})
	measure(b, "antlabs", "", func(b *testing.B) {
		antlabs(b, antlabsAPI())
	})
	measure(b, "wheelscope", "", func(b *testing.B) {
		ours(b, ourAPI(b))
	})
}

func ourWheel(b *testing.B, options ...ourtimer.Option) *ourtimer.Wheel {
	w, err := ourtimer.New(append(options, ourtimer.WithExecutor(ourtimer.Inline))...)
	if err != nil {
		b.Fatal(err)
	}
	return w
}

func standardAPI() api[*time.Timer] {
	return api[*time.Timer]{
		func(h **time.Timer, d time.Duration, f func()) { *h = time.AfterFunc(d, f) },
		func(h **time.Timer) bool { return (*h).Stop() }, func() {}, true,
	}
}

func russellLuoAPI() api[*timingwheel.Timer] {
	w := timingwheel.NewTimingWheel(time.Millisecond, 64)
	w.Start()
	return api[*timingwheel.Timer]{
		func(h **timingwheel.Timer, d time.Duration, f func()) { *h = w.AfterFunc(d, f) },
		func(h **timingwheel.Timer) bool { return (*h).Stop() }, w.Stop, false,
	}
}

func antlabsAPI() api[timer.TimeNoder] {
	t := timer.NewTimer(timer.WithTimeWheel())
	go t.Run()
	return api[timer.TimeNoder]{
		func(h *timer.TimeNoder, d time.Duration, f func()) { *h = t.AfterFunc(d, f) },
		func(h *timer.TimeNoder) bool { return (*h).Stop() }, t.Stop, false,
	}
}

// ourAPI returns the api of a new wheel of this project.
func ourAPI(b *testing.B, options ...ourtimer.Option) api[ourtimer.Timer] {
	w := ourWheel(b, options...)
	return api[ourtimer.Timer]{
		func(h *ourtimer.Timer, d time.Duration, f func()) { *h = w.AfterFunc(d, f) },
		(*ourtimer.Timer).Stop,
		func() { w.Shutdown(b.Context()) }, false,
	}
}

// filled schedules n timers, which are stopped when the benchmark ends.
func filled[H any](b *testing.B, a api[H], n int) []H {
	all := make([]H, n)
	for k := range all {
		a.after(&all[k], distance(), nothing)
	}
	b.Cleanup(func() {
		stop(a, all)
		a.end()
		runtime.GC()
	})
	runtime.GC() // garbage of scheduling them is not collected during the measurement
	b.ResetTimer()
	b.ReportAllocs()
	return all
}

func stop[H any](a api[H], all []H) {
	for k := range all {
		a.stop(&all[k])
	}
}

// memory reports the bytes per pending timer, without the handle that the program keeps.
func memory[H any](b *testing.B, a api[H]) {
	single(b, func() {
		keep := make([]H, pending)
		before := inUse()
		for k := range keep {
			a.after(&keep[k], distance(), nothing)
		}
		b.ReportMetric(float64(inUse()-before)/pending, "B/timer")
		stop(a, keep)
	})
	a.end()
}

// single runs f once, for benchmarks that take seconds, however many iterations are requested.
func single(b *testing.B, f func()) {
	var once sync.Once
	for b.Loop() {
		once.Do(f)
	}
	b.ReportMetric(0, "ns/op") // of an empty loop
}

func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkMemory(b *testing.B) { forEach(b, memory, memory, memory, memory) }
