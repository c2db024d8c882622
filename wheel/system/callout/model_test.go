package callout

import (
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
	"pgregory.net/rapid"
)

// model follows the description of the algorithm and shares nothing with the wheel: slices of
// timers, each of which has the tick at which it fires, and a clock that moves one tick at a time.
type model struct {
	ticks   wheel.Tick
	buckets [][]*modelTimer
	depth   int64 // timers examined
}

type modelTimer struct {
	key   uint32
	due   wheel.Tick
	time  wheel.Tick // c_time
	every wheel.Tick
	left  int32 // further runs; −1: for ever
}

func newModel(size int, start wheel.Tick) *model {
	n := 1
	for n < size {
		n *= 2
	}
	return &model{ticks: start, buckets: make([][]*modelTimer, n)}
}

func (m *model) bucket(at wheel.Tick) *[]*modelTimer {
	return &m.buckets[at%wheel.Tick(len(m.buckets))]
}

func (m *model) reset(t *modelTimer) {
	t.time = t.due
	if t.due-m.ticks <= 0 {
		t.time = m.ticks + 1
	}
	b := m.bucket(t.time)
	*b = append(*b, t)
}

// stop removes the timer with a key, and reports whether there is one.
func (m *model) stop(key uint32) bool {
	for i, b := range m.buckets {
		if k := slices.IndexFunc(b, func(t *modelTimer) bool { return t.key == key }); k >= 0 {
			m.buckets[i] = slices.Delete(b, k, k+1)
			return true
		}
	}
	return false
}

// softclock processes every tick up to `to`, and returns the keys that fire, in order.
func (m *model) softclock(to wheel.Tick) (fired []uint32) {
	for m.ticks < to {
		m.ticks++
		b := m.bucket(m.ticks)
		all := *b
		*b = nil
		for _, t := range all {
			if m.depth++; t.time != m.ticks {
				*b = append(*b, t)
			}
		}
		for _, t := range all {
			if t.time != m.ticks {
				continue
			}
			fired = append(fired, t.key)
			if t.left != 0 {
				t.left -= min(max(t.left, 0), 1)
				t.due += t.every
				m.reset(t)
			}
		}
	}
	return fired
}

// TestModelAgrees compares the wheel with the model under random operations: which timers fire, in
// what order, how many were examined, and what is in each slot.
func TestModelAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 9).Draw(t, "slots")
		start := rapid.SampledFrom([]wheel.Tick{0, 7, 1000, 1 << 50}).Draw(t, "start")
		made, err := New(Config{Slots: size, Start: start})
		if err != nil {
			t.Fatal(err)
		}
		m := newModel(size, start)
		var handles []wheel.Timer
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0, 1:
				s := wheel.Spec{Key: uint32(len(handles) + 1), Due: made.Now() + rapid.Int64Range(-4, 40).Draw(t, "delay")}
				if rapid.IntRange(0, 3).Draw(t, "repeats") == 0 {
					s.Every, s.Times = rapid.Int64Range(1, 20).Draw(t, "every"), rapid.SampledFrom([]int32{-1, 1, 2, 5}).Draw(t, "times")
				}
				h, _, err := made.Schedule(s)
				if err != nil {
					t.Fatal(err)
				}
				handles = append(handles, h)
				m.reset(&modelTimer{key: s.Key, due: s.Due, every: s.Every, left: s.Times - min(max(s.Times, 0), 1)})
			case 2:
				if len(handles) > 0 {
					k := rapid.IntRange(0, len(handles)-1).Draw(t, "which")
					if got, want := made.Cancel(handles[k]), m.stop(uint32(k+1)); got != want {
						t.Fatalf("cancel of %d returns %v, want %v", k+1, got, want)
					}
				}
			case 3:
				compareAdvance(t, made, m, made.Now()+rapid.Int64Range(0, 30).Draw(t, "by"))
			}
			compareSlots(t, made, m)
		}
	})
}

func compareAdvance(t *rapid.T, w wheel.Observable, m *model, to wheel.Tick) {
	before, depth := w.Cost().Compared, m.depth
	fired, status := w.Advance(to, nil, 0)
	var keys []uint32
	for _, x := range fired {
		keys = append(keys, x.Key)
	}
	if want := m.softclock(to); status != wheel.Done || !slices.Equal(keys, want) {
		t.Fatalf("up to %d: fired %v, want %v; %v", to, keys, want, status)
	}
	if got := w.Cost().Compared - before; got != m.depth-depth {
		t.Fatalf("up to %d: examined %d timers, want %d", to, got, m.depth-depth)
	}
}

func compareSlots(t *rapid.T, w wheel.Observable, m *model) {
	var s wheel.State
	w.AppendState(&s, wheel.AllEntries)
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
	got := make([][]uint32, len(m.buckets))
	for _, p := range s.Places {
		for _, e := range p.Entries {
			got[p.Slot] = append(got[p.Slot], e.ID)
		}
	}
	for i, b := range m.buckets {
		var want []uint32
		for _, x := range b {
			want = append(want, x.key)
		}
		if !slices.Equal(got[i], want) {
			t.Fatalf("slot %d holds %v, want %v", i, got[i], want)
		}
	}
}

// TestFarTimerIsVisited checks that a far timer's slot is visited once per revolution, of slots rounded up.
func TestFarTimerIsVisited(t *testing.T) {
	for asked, want := range map[int64]wheel.Tick{1: 1, 3: 4, 64: 64} {
		p := catalog.Params{"slots": asked}
		w := coretest.Build(t, Algorithm, p, 0)
		w.Schedule(wheel.Spec{Due: 1 << 40, Key: 1})
		first, _ := w.Next()
		coretest.Jump(w, first)
		if next, ok := w.Next(); !ok || next-first != want {
			t.Errorf("%d slots: visited at %d and %d", asked, first, next)
		}
	}
}
