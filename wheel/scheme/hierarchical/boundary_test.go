package hierarchical

import (
	"errors"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// At each power of the number of slots, and one tick before and after it, a timer goes to the
// right level by distance and by digits, and fires on time.
func TestLevelsBeginAtPowers(t *testing.T) {
	for _, n := range []int64{2, 3, 4, 64} {
		for k, power := 1, n; k < 5; k, power = k+1, power*n {
			for _, off := range []int64{-1, 0, 1} {
				for _, placement := range []string{"distance", "digits"} {
					w := coretest.Build(t, Algorithm, catalog.Params{"slots": n, "levels": int64(6), "placement": placement}, 0)
					d := power + off
					w.Schedule(wheel.Spec{Due: d, Key: 1})
					want := levelFromZero(d, n)
					level, slot := coretest.PlaceOf(t, w)
					if level != want || int64(slot) != d/pow(n, want)%n {
						t.Errorf("n=%d delay %d %s: level %d slot %d, want level %d", n, d, placement, level, slot, want)
					}
					if at := coretest.FiresAt(w); at != d {
						t.Errorf("n=%d delay %d %s: fires at %d", n, d, placement, at)
					}
				}
			}
		}
	}
}

// levelFromZero returns the level of a delay d > 0 at clock 0: the number of digits of d to
// the base n, less one. Both placements agree there.
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

// With 3 slots, clock 2 and delay 2 the placements differ. This example distinguishes
// them.
func TestPlacementsDiffer(t *testing.T) {
	for name, want := range map[string][2]int{"distance": {0, 1}, "digits": {1, 1}} {
		w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(3), "placement": name}, 0)
		w.Schedule(wheel.Spec{Due: 8, Key: 1}) // both have grown by a level
		coretest.Jump(w, 2)
		w.Cancel(wheel.NewTimer(1, 1))
		w.Schedule(wheel.Spec{Due: 4, Key: 2})
		level, slot := coretest.PlaceOf(t, w)
		if int(level) != want[0] || int(slot) != want[1] {
			t.Errorf("%s: level %d slot %d, want %v", name, level, slot, want)
		}
	}
}

// The range ends where the index at the top level is n ahead, whatever the placement.
func TestReachEnds(t *testing.T) {
	for _, placement := range []string{"distance", "digits"} {
		for _, c := range []struct {
			now, due wheel.Tick
			ok       bool
		}{{0, 15, true}, {0, 16, false}, {3, 15, true}, {3, 16, false}, {4, 19, true}, {4, 20, false}} {
			w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(4), "levels": int64(2), "placement": placement}, 0)
			coretest.Jump(w, c.now)
			_, _, err := w.Schedule(wheel.Spec{Due: c.due, Key: 1})
			if (err == nil) != c.ok || err != nil && !errors.Is(err, wheel.ErrRange) {
				t.Errorf("%s: at %d due %d: %v", placement, c.now, c.due, err)
			}
		}
	}
}

// A growing wheel adds only the levels it needs, with one grow event each, and none if eight
// levels would not be enough.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		due    wheel.Tick
		levels int
		err    error
	}{{1, 1, nil}, {2, 2, nil}, {4, 3, nil}, {127, 7, nil}, {128, 8, nil}, {255, 8, nil}, {256, 1, wheel.ErrRange}, {wheel.TickMax, 1, wheel.ErrRange}} {
		w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(2), "width": int64(1)}, 0)
		log := wheel.Log{Keep: true}
		w.Observe(&log)
		_, _, err := w.Schedule(wheel.Spec{Due: c.due, Key: 1})
		if err != c.err || len(w.Layout().Levels) != c.levels || int(log.Count[wheel.KindGrow]) != c.levels-1 {
			t.Errorf("due %d: %v, %d levels, %d emitted", c.due, err, len(w.Layout().Levels), log.Count[wheel.KindGrow])
		}
		if err := w.Check(); err != nil {
			t.Error(err)
		}
	}
}

// The bounds of Nichols' variants are reached: a timer on level 2 that never moves is off by
// up to a slot of 16 ticks, or half of it; one that moves once, by up to a slot of 4.
func TestLessMigrationReachesItsBound(t *testing.T) {
	for _, c := range []struct {
		migration, round string
		least, most      wheel.Tick
	}{
		{"none", "floor", -15, 0}, {"none", "ceil", 0, 15}, {"none", "nearest", -7, 8},
		{"one", "floor", -3, 0}, {"one", "ceil", 0, 3}, {"one", "nearest", -1, 2},
		{"full", "floor", 0, 0},
	} {
		least, most := wheel.Tick(99), wheel.Tick(-99)
		for delay := wheel.Tick(16); delay < 48; delay++ {
			w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(4), "levels": int64(3), "migration": c.migration, "round": c.round}, 0)
			w.Schedule(wheel.Spec{Due: delay, Key: 1})
			off := coretest.FiresAt(w) - delay
			least, most = min(least, off), max(most, off)
		}
		if least != c.least || most != c.most {
			t.Errorf("migration %s, round %s: off by %d to %d, want %d to %d", c.migration, c.round, least, most, c.least, c.most)
		}
	}
}

// A constructor copies the sizes it is given.
func TestSizesAreCopied(t *testing.T) {
	given := []int{4}
	w, err := New(Config{Slots: given, Width: 1, Grow: true})
	if err != nil {
		t.Fatal(err)
	}
	given[0] = 99
	w.Schedule(wheel.Spec{Due: 10, Key: 1})
	if l := w.Layout().Levels; len(l) != 2 || l[1].Slots != 4 {
		t.Errorf("levels %+v", l)
	}
}
