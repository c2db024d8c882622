package algorithms

import (
	"errors"
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

func build(t *testing.T, id string, p catalog.Params, start wheel.Tick) wheel.Wheel {
	t.Helper()
	return lane{name: id, id: id, params: p, start: start}.build(t)
}

// stands is where the only timer of a wheel stands.
func stands(t *testing.T, w wheel.Wheel) (level int8, slot uint32) {
	t.Helper()
	var s wheel.State
	w.AppendState(&s, wheel.AllEntries)
	if len(s.Places) != 1 {
		t.Fatalf("%d places, want 1", len(s.Places))
	}
	return s.Places[0].Level, s.Places[0].Slot
}

// At each power of the size, and beside it, a timer goes to the level it should
// by distance and by digits, and fires on time.
func TestLevelsBeginAtPowers(t *testing.T) {
	for _, n := range []int64{2, 3, 4, 64} {
		for k, power := 1, n; k < 5; k, power = k+1, power*n {
			for _, off := range []int64{-1, 0, 1} {
				for _, placement := range []string{"distance", "digits"} {
					w := build(t, "hierarchical", catalog.Params{"slots": n, "levels": int64(6), "placement": placement}, 0)
					d := power + off
					w.Schedule(wheel.Spec{Due: d, Key: 1})
					want := levelFromZero(d, n)
					level, slot := stands(t, w)
					if level != want || int64(slot) != d/pow(n, want)%n {
						t.Errorf("n=%d delay %d %s: level %d slot %d, want level %d", n, d, placement, level, slot, want)
					}
					if at := firesAt(w); at != d {
						t.Errorf("n=%d delay %d %s: fires at %d", n, d, placement, at)
					}
				}
			}
		}
	}
}

// levelFromZero is the level of a delay d > 0 at clock 0: the number of digits of
// d to the base n, less one. Both placements agree there.
func levelFromZero(d, n int64) (l int8) {
	for ; d >= n; d /= n {
		l++
	}
	return l
}

func pow(n int64, l int8) int64 {
	w := int64(1)
	for range l {
		w *= n
	}
	return w
}

// With 3 slots, clock 2 and delay 2 the placements differ: the example that
// tells them apart.
func TestPlacementsDiffer(t *testing.T) {
	for name, want := range map[string][2]int{"distance": {0, 1}, "digits": {1, 1}} {
		w := build(t, "hierarchical", catalog.Params{"slots": int64(3), "placement": name}, 0)
		w.Schedule(wheel.Spec{Due: 8, Key: 1}) // both have grown a level
		jump(w, 2)
		w.Cancel(wheel.NewTimer(1, 1))
		w.Schedule(wheel.Spec{Due: 4, Key: 2})
		level, slot := stands(t, w)
		if int(level) != want[0] || int(slot) != want[1] {
			t.Errorf("%s: level %d slot %d, want %v", name, level, slot, want)
		}
	}
}

// The reach ends where the top level's index is n away, whatever the placement.
func TestReachEnds(t *testing.T) {
	for _, placement := range []string{"distance", "digits"} {
		for _, c := range []struct {
			now, due wheel.Tick
			ok       bool
		}{{0, 15, true}, {0, 16, false}, {3, 15, true}, {3, 16, false}, {4, 19, true}, {4, 20, false}} {
			w := build(t, "hierarchical", catalog.Params{"slots": int64(4), "levels": int64(2), "placement": placement}, 0)
			jump(w, c.now)
			_, _, err := w.Schedule(wheel.Spec{Due: c.due, Key: 1})
			if (err == nil) != c.ok || err != nil && !errors.Is(err, wheel.ErrRange) {
				t.Errorf("%s: at %d due %d: %v", placement, c.now, c.due, err)
			}
		}
	}
}

// A growing wheel adds what it needs, one grow each, and nothing when eight
// levels would not do.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		due    wheel.Tick
		levels int
		err    error
	}{{1, 1, nil}, {2, 2, nil}, {4, 3, nil}, {127, 7, nil}, {128, 8, nil}, {255, 8, nil}, {256, 1, wheel.ErrRange}, {wheel.TickMax, 1, wheel.ErrRange}} {
		w := build(t, "hierarchical", catalog.Params{"slots": int64(2), "width": int64(1)}, 0)
		log := wheel.Log{Keep: true}
		w.Observe(&log)
		_, _, err := w.Schedule(wheel.Spec{Due: c.due, Key: 1})
		if err != c.err || len(w.Layout().Levels) != c.levels || int(log.Count[wheel.KindGrow]) != c.levels-1 {
			t.Errorf("due %d: %v, %d levels, %d told", c.due, err, len(w.Layout().Levels), log.Count[wheel.KindGrow])
		}
		if err := w.Check(); err != nil {
			t.Error(err)
		}
	}
}

// A timer at the end of time waits in the algorithms that reach it, and fires.
// Tokio begins near it: timers past 2^36 ticks wait there by going round its last level.
func TestLastTick(t *testing.T) {
	reachAll := []lane{
		{id: "sorted"}, {id: "heap"}, {id: "list"}, {id: "tokio", start: wheel.TickMax - 1<<50}, {id: "kafka"}, {id: "calendar"}, {id: "kafka", params: catalog.Params{"drive": "tick"}}, {id: "simple", params: catalog.Params{"overflow": "list", "slots": int64(wheel.SlotsMax), "width": int64(wheel.WidthMax)}},
		{id: "rounds", params: catalog.Params{"slots": int64(wheel.SlotsMax), "width": int64(wheel.WidthMax)}},
		{id: "hashed-sorted", params: catalog.Params{"slots": int64(wheel.SlotsMax), "width": int64(wheel.WidthMax)}},
		{id: "hierarchical", params: catalog.Params{"slots": int64(256)}},
		{id: "hierarchical", params: catalog.Params{"slots": int64(256), "placement": "digits", "migration": "none", "round": "ceil"}},
		{id: "hierarchical", params: catalog.Params{"slots": int64(wheel.SlotsMax), "width": int64(1 << 20), "migration": "one", "round": "nearest"}},
	}
	for _, l := range reachAll {
		t.Run(laneName(l.id, l.params), func(t *testing.T) {
			w := l.build(t)
			h, runs, err := w.Schedule(wheel.Spec{Due: wheel.TickMax, Key: 1})
			if err != nil || runs != 0 || h.IsZero() {
				t.Fatalf("at the last tick: %v, %d runs", err, runs)
			}
			at, ok := w.Next()
			if !ok || at <= 0 {
				t.Fatalf("Next is %d, %v", at, ok)
			}
			fired, status := w.Advance(1<<63-1, nil, 0)
			if status != wheel.Done || w.Now() != wheel.TickMax || w.Check() != nil {
				t.Fatalf("status %d at %d, %v", status, w.Now(), w.Check())
			}
			if late := l.width() > 1 || l.params["round"] != nil; len(fired) != 1 && !late {
				t.Fatalf("fired %v", fired)
			}
		})
	}
}

// What does not fit 62 bits is refused as out of range: at once, or when a
// repeat would leave them.
func TestPastTheLastTick(t *testing.T) {
	for _, l := range lanes() {
		l.start = wheel.TickMax - 12*l.width()
		t.Run(l.name, func(t *testing.T) {
			w := l.build(t)
			log := wheel.Log{}
			w.Observe(&log)
			for _, s := range []wheel.Spec{{Due: wheel.TickMax + 1}, {Due: 1<<63 - 1}, {Due: -1 << 63}, {Due: wheel.TickMax, Every: wheel.TickMax + 1, Times: -1}} {
				if s.Key = 1; !refused(w, s, wheel.ErrRange) {
					t.Errorf("%+v is not refused", s)
				}
			}
			w.Schedule(wheel.Spec{Due: wheel.TickMax - 12*l.width(), Key: 2, Every: wheel.TickMax, Times: -1})
			jump(w, wheel.TickMax)
			if w.Len() != 0 || log.Count[wheel.KindReject] != 5 || w.Check() != nil {
				t.Errorf("%d live and %d rejected: a repeat past the last tick goes on", w.Len(), log.Count[wheel.KindReject])
			}
		})
	}
}

// refused says whether scheduling s fails with want and leaves nothing behind.
func refused(w wheel.Wheel, s wheel.Spec, want error) bool {
	live := w.Len()
	h, runs, err := w.Schedule(s)
	return errors.Is(err, want) && runs == 0 && h.IsZero() && w.Len() == live && w.Check() == nil
}

// A repeat whose runs due already are more than RunsAtOnceMax is refused, one
// with as many is carried out; so are few runs however far back they begin.
func TestRunsAtOnce(t *testing.T) {
	const now = wheel.RunsAtOnceMax * 3
	for _, id := range []string{"simple", "rounds", "hierarchical", "sorted", "heap", "list", "hashed-sorted", "tokio", "calendar"} {
		w := build(t, id, nil, now)
		if !refused(w, wheel.Spec{Due: now - wheel.RunsAtOnceMax, Every: 1, Times: -1, Key: 1}, wheel.ErrPast) {
			t.Errorf("%s: a run too many is not refused", id)
		}
		h, runs, err := w.Schedule(wheel.Spec{Due: now - wheel.RunsAtOnceMax + 1, Every: 1, Times: -1, Key: 2})
		if runs != wheel.RunsAtOnceMax || err != nil || !w.Cancel(h) {
			t.Errorf("%s: %d runs, %v", id, runs, err)
		}
		h, runs, err = w.Schedule(wheel.Spec{Due: -wheel.TickMax, Every: 1, Times: 3, Key: 3})
		if runs != 3 || err != nil || !h.IsZero() {
			t.Errorf("%s: three runs of long ago: %d, %v", id, runs, err)
		}
	}
}

// In a wide slot the runs of one timer between two slot boundaries come one after
// another in the same tick; more than the bound end it.
func TestRunsWithinOneSlot(t *testing.T) {
	w := build(t, "rounds", catalog.Params{"slots": int64(4), "width": int64(10)}, 0)
	w.Schedule(wheel.Spec{Due: 11, Every: 3, Times: -1, Key: 1})
	want := []wheel.Expiry{{Due: 11, Key: 1, Run: 1}, {Due: 14, Key: 1, Run: 2}, {Due: 17, Key: 1, Run: 3}, {Due: 20, Key: 1, Run: 4}}
	if fired := jump(w, 20); fmt.Sprint(fired) != fmt.Sprint(want) {
		t.Errorf("fired %v, want %v", fired, want)
	}
	if at, _ := w.Next(); at != 30 || w.Len() != 1 {
		t.Errorf("next at %d, want 30", at)
	}
	wide := build(t, "simple", catalog.Params{"slots": int64(4), "width": int64(wheel.RunsAtOnceMax * 2)}, 0)
	wide.Schedule(wheel.Spec{Due: 1, Every: 1, Times: -1, Key: 1})
	if fired := jump(wide, wheel.RunsAtOnceMax*2); len(fired) != 1 || wide.Len() != 0 {
		t.Errorf("%d runs in one tick, %d live", len(fired), wide.Len())
	}
}

// The linear algorithm takes LinearMax timers and no more; those due at once do
// not count.
func TestLinearMax(t *testing.T) {
	w := build(t, "sorted", nil, 0)
	for k := range wheel.LinearMax {
		if _, _, err := w.Schedule(wheel.Spec{Due: wheel.Tick(wheel.LinearMax - k), Key: uint32(k + 1)}); err != nil {
			t.Fatalf("timer %d: %v", k, err)
		}
	}
	if !refused(w, wheel.Spec{Due: 9, Key: wheel.LinearMax + 1}, wheel.ErrCapacity) {
		t.Error("a timer past LinearMax is not refused")
	}
	if _, runs, err := w.Schedule(wheel.Spec{Due: 0, Key: wheel.LinearMax + 2}); runs != 1 || err != nil {
		t.Errorf("due at once: %d, %v", runs, err)
	}
	if fired := jump(w, wheel.LinearMax); len(fired) != wheel.LinearMax {
		t.Errorf("%d fired", len(fired))
	}
}
