package algorithms

import (
	"container/heap"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Benchmarks with 1 million pending timers, delays from 1 s to 1 h and a tick of 1 ms, on a
// hierarchical wheel of four levels of 64 slots (1 ms, 64 ms, 4 s and 4.4 min wide: 4.7 hours) that
// is called through the interface wheel.Wheel. Each benchmark also measures what the wheel is
// compared with.
const (
	benchPending = 1_000_000
	benchShort   = 1_000 // ms
	benchLong    = 3_600_000
)

func benchWheel(b *testing.B) wheel.Observable {
	b.Helper()
	w, err := New("hierarchical", catalog.Params{"slots": int64(64), "levels": int64(4)}, 0)
	if err != nil {
		b.Fatal(err)
	}
	return w
}

// benchDelay returns a random delay in ms.
func benchDelay(r *rand.Rand) int64 { return benchShort + r.Int64N(benchLong-benchShort) }

func benchRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// delays returns random delays, so that drawing them is not timed. Their number is a power of
// two, for delays[k&(len−1)].
func delays(r *rand.Rand) []int64 {
	all := make([]int64, 1<<16)
	for k := range all {
		all[k] = benchDelay(r)
	}
	return all
}

// fill schedules n timers of random delays and returns their handles.
func fill(w wheel.Observable, n int, delay func() int64) []wheel.Timer {
	handles := make([]wheel.Timer, n)
	for k := range handles {
		handles[k], _, _ = w.Schedule(wheel.Spec{Due: w.Now() + delay(), Key: uint32(k + 1)})
	}
	return handles
}

// armRuntime starts n timers of the Go runtime, which are stopped when the benchmark ends.
func armRuntime(b *testing.B, n int, r *rand.Rand) []*time.Timer {
	timers := make([]*time.Timer, n)
	for k := range timers {
		timers[k] = time.AfterFunc(time.Duration(benchDelay(r))*time.Millisecond, func() {})
	}
	b.Cleanup(func() {
		for _, t := range timers {
			t.Stop()
		}
	})
	return timers
}

// One timer is scheduled and cancelled with a million pending.
func BenchmarkScheduleCancel(b *testing.B) {
	b.Run("hierarchical", func(b *testing.B) {
		r, w := benchRand(), benchWheel(b)
		fill(w, benchPending, func() int64 { return benchDelay(r) })
		drawn, k := delays(r), 0
		b.ReportAllocs()
		for b.Loop() {
			h, _, _ := w.Schedule(wheel.Spec{Due: w.Now() + drawn[k&(1<<16-1)], Key: 7})
			w.Cancel(h)
			k++
		}
	})
	b.Run("AfterFunc", func(b *testing.B) {
		r := benchRand()
		armRuntime(b, benchPending, r)
		drawn, k := delays(r), 0
		b.ReportAllocs()
		for b.Loop() {
			time.AfterFunc(time.Duration(drawn[k&(1<<16-1)])*time.Millisecond, func() {}).Stop()
			k++
		}
	})
}

// A random one of a million pending timers is cancelled and scheduled again, so that cache
// misses are included. The order is drawn beforehand (handles and timers are shuffled), so
// that neither the draw nor the look-up of a handle is timed.
func BenchmarkRearm(b *testing.B) {
	b.Run("hierarchical", func(b *testing.B) {
		r, w := benchRand(), benchWheel(b)
		handles := fill(w, benchPending, func() int64 { return benchDelay(r) })
		r.Shuffle(benchPending, func(x, y int) { handles[x], handles[y] = handles[y], handles[x] })
		drawn, n := delays(r), 0
		b.ReportAllocs()
		for b.Loop() {
			k := n % benchPending
			w.Cancel(handles[k])
			handles[k], _, _ = w.Schedule(wheel.Spec{Due: w.Now() + drawn[n&(1<<16-1)], Key: uint32(k + 1)})
			n++
		}
	})
	b.Run("AfterFunc", func(b *testing.B) {
		r := benchRand()
		timers := armRuntime(b, benchPending, r)
		r.Shuffle(benchPending, func(x, y int) { timers[x], timers[y] = timers[y], timers[x] })
		drawn, n := delays(r), 0
		b.ReportAllocs()
		for b.Loop() {
			k := n % benchPending
			timers[k].Stop()
			timers[k] = time.AfterFunc(time.Duration(drawn[n&(1<<16-1)])*time.Millisecond, func() {})
			n++
		}
	})
}

// dueHeap is the priority queue of the container/heap example, without a lock. Each item stores its
// index, which is needed to cancel it.
type dueHeap []*dueItem

type dueItem struct {
	due   int64
	key   uint32
	index int
}

func (h dueHeap) Len() int           { return len(h) }
func (h dueHeap) Less(a, b int) bool { return h[a].due < h[b].due }
func (h dueHeap) Swap(a, b int) {
	h[a], h[b] = h[b], h[a]
	h[a].index, h[b].index = a, b
}

func (h *dueHeap) Push(x any) {
	item := x.(*dueItem)
	item.index = len(*h)
	*h = append(*h, item)
}

func (h *dueHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return x
}

// A million timers, all due within one second an hour ahead, expire tick by tick.
// ns/timer counts the expiry alone.
func BenchmarkExpire(b *testing.B) {
	within := func(r *rand.Rand) int64 { return benchLong + r.Int64N(1000) }
	perTimer := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchPending, "ns/timer")
	}
	b.Run("hierarchical", func(b *testing.B) {
		r := benchRand()
		fired := make([]wheel.Expiry, 0, benchPending)
		for range b.N {
			b.StopTimer()
			w := benchWheel(b)
			fill(w, benchPending, func() int64 { return within(r) })
			jump(w, benchLong-10)
			b.StartTimer()
			fired = fired[:0]
			for t := w.Now(); t <= benchLong+1000; t++ {
				fired, _ = w.Advance(t, fired, 0)
			}
			if len(fired) != benchPending {
				b.Fatalf("%d fired", len(fired))
			}
		}
		perTimer(b)
	})
	b.Run("containerheap", func(b *testing.B) {
		r := benchRand()
		fired := make([]wheel.Expiry, 0, benchPending)
		for range b.N {
			b.StopTimer()
			h := make(dueHeap, 0, benchPending)
			for k := range benchPending {
				heap.Push(&h, &dueItem{due: within(r), key: uint32(k)})
			}
			b.StartTimer()
			fired = fired[:0]
			for t := int64(benchLong - 10); t <= benchLong+1000; t++ {
				for len(h) > 0 && h[0].due <= t {
					x := heap.Pop(&h).(*dueItem)
					fired = append(fired, wheel.Expiry{Due: x.due, Key: x.key, Run: 1})
				}
			}
		}
		perTimer(b)
	})
}

// Memory of a million pending timers, as counted by the runtime.
func BenchmarkMemory(b *testing.B) {
	r := benchRand()
	for b.Loop() {
		before := heapInUse()
		w := benchWheel(b)
		for k := range benchPending {
			w.Schedule(wheel.Spec{Due: benchDelay(r), Key: uint32(k + 1)})
		}
		b.ReportMetric(float64(heapInUse()-before)/benchPending, "B/timer")
		b.ReportMetric(float64(w.Bytes())/benchPending, "B/timer-counted")
		runtime.KeepAlive(w)
	}
}

func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// One cycle of the garbage collector with ten million timers pending.
func BenchmarkGC(b *testing.B) {
	r, w := benchRand(), benchWheel(b)
	for k := range 10 * benchPending {
		w.Schedule(wheel.Spec{Due: benchDelay(r), Key: uint32(k + 1)})
	}
	runtime.GC()
	for b.Loop() {
		runtime.GC()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/gc")
	runtime.KeepAlive(w)
}

// An advance over empty ticks with pending timers behind them: a million cost no more than a
// thousand.
func BenchmarkEmptyTicks(b *testing.B) {
	for _, c := range []struct {
		name  string
		ticks int64
	}{{"1000", 1_000}, {"1000000", 1_000_000}} {
		b.Run(c.name, func(b *testing.B) {
			w, err := New("hierarchical", catalog.Params{"slots": int64(256), "levels": int64(7)}, 0)
			if err != nil {
				b.Fatal(err)
			}
			w.Schedule(wheel.Spec{Due: 1 << 55, Key: 1})
			to := int64(0)
			for b.Loop() {
				to += c.ticks
				w.Advance(to, nil, 0)
			}
		})
	}
}

// The same work without a log, with events counted, and with events kept.
func BenchmarkObserved(b *testing.B) {
	for _, c := range []struct {
		name string
		log  *wheel.Log
	}{{"off", nil}, {"counted", &wheel.Log{}}, {"kept", &wheel.Log{Keep: true}}} {
		b.Run(c.name, func(b *testing.B) {
			r, w := benchRand(), benchWheel(b)
			w.Observe(c.log)
			var fired []wheel.Expiry
			for b.Loop() {
				if c.log != nil {
					c.log.Events = c.log.Events[:0]
				}
				for k := range uint32(1000) {
					h, _, _ := w.Schedule(wheel.Spec{Due: w.Now() + 1 + r.Int64N(5000), Key: k + 1})
					if k%2 == 0 {
						w.Cancel(h)
					}
				}
				fired, _ = w.Advance(w.Now()+100, fired[:0], 0)
			}
		})
	}
}
