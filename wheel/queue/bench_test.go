package queue

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

// store is what BenchmarkQueue measures: a queue, the wheel below it with values in a slice, as a program would keep
// them, or a heap of package container/heap.
type store struct {
	add     func(due wheel.Tick, i int)
	remove  func(i int) // the entry that add got with i
	reset   func(i int, due wheel.Tick)
	advance func(to wheel.Tick) (n int)
}

var sink int

func newQueue(n int) store {
	q, handles := New[int](0), make([]Handle, n)
	return store{
		add:    func(due wheel.Tick, i int) { handles[i] = q.Add(due, i) },
		remove: func(i int) { q.Remove(handles[i]) },
		reset:  func(i int, due wheel.Tick) { q.Reset(handles[i], due) },
		advance: func(to wheel.Tick) (n int) {
			for _, v := range q.Advance(to) {
				sink += v
				n++
			}
			return n
		},
	}
}

func newWheel(n int) store {
	w, _ := hierarchical.New(hierarchical.Config{Slots: []int{64}, Grow: true, Endless: true, Width: 1})
	handles, values, fired := make([]wheel.Timer, n), make([]int, n+1), make([]wheel.Expiry, 0, 256)
	return store{
		add: func(due wheel.Tick, i int) {
			h, _, _ := w.Schedule(wheel.Spec{Due: due, Key: wheel.PlaceKey})
			handles[i], values[h.Index()] = h, i
		},
		remove: func(i int) {
			if h := handles[i]; w.Cancel(h) {
				values[h.Index()] = 0
			}
		},
		reset: func(i int, due wheel.Tick) { w.Reschedule(handles[i], due) },
		advance: func(to wheel.Tick) (n int) {
			for status := wheel.Budget; status == wheel.Budget; {
				fired, status = w.Advance(to, fired[:0], cap(fired))
				for i := range fired {
					sink += values[fired[i].Key]
					values[fired[i].Key] = 0
				}
				n += len(fired)
			}
			return n
		},
	}
}

func newHeap(n int) store {
	h, handles := items{}, make([]*item, n)
	return store{
		add: func(due wheel.Tick, i int) {
			handles[i] = &item{due: due, value: i}
			heap.Push(&h, handles[i])
		},
		remove: func(i int) { heap.Remove(&h, handles[i].at) },
		reset: func(i int, due wheel.Tick) {
			handles[i].due = due
			heap.Fix(&h, handles[i].at)
		},
		advance: func(to wheel.Tick) (n int) {
			for len(h) > 0 && h[0].due <= to {
				sink += heap.Pop(&h).(*item).value
				n++
			}
			return n
		},
	}
}

// BenchmarkQueue compares a queue with the wheel below it and with container/heap: random entries are removed and
// added, or reset, or all run out, among n entries that are due at random within an hour of ticks of a millisecond,
// or, where named so, within a second.
func BenchmarkQueue(b *testing.B) {
	stores := []struct {
		name string
		make func(int) store
	}{{"queue", newQueue}, {"wheel", newWheel}, {"heap", newHeap}}
	for _, n := range []int{1000, 1_000_000} {
		filled := func(s store, within int64) []int64 {
			rnd := rand.New(rand.NewPCG(1, 2))
			delays := make([]int64, 1<<16)
			for i := range delays {
				delays[i] = 1 + rnd.Int64N(within)
			}
			for i := range n {
				s.add(delays[i%len(delays)]+int64(i%7), i)
			}
			return delays
		}
		for _, s := range stores {
			b.Run(fmt.Sprintf("replace/%d/%s", n, s.name), func(b *testing.B) {
				s := s.make(n)
				delays, k := filled(s, 3_600_000), uint32(1)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					k = k*1664525 + 1013904223
					victim := int(uint64(k) * uint64(n) >> 32)
					s.remove(victim)
					s.add(delays[i%len(delays)], victim)
				}
			})
			b.Run(fmt.Sprintf("reset/%d/%s", n, s.name), func(b *testing.B) {
				s := s.make(n)
				_, k := filled(s, 3_600_000), uint32(1)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					k = k*1664525 + 1013904223
					s.reset(int(uint64(k)*uint64(n)>>32), 3_600_000+int64(i))
				}
			})
			for _, within := range []int64{1000, 3_600_000} {
				b.Run(fmt.Sprintf("expire/%d-within-%d/%s", n, within, s.name), func(b *testing.B) {
					for b.Loop() {
						b.StopTimer()
						s := s.make(n)
						filled(s, within)
						b.StartTimer()
						if got := s.advance(within + 10); got != n {
							b.Fatalf("%d of %d", got, n)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entry")
				})
			}
		}
	}
}
