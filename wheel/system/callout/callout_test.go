package callout

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// TestSlots checks kern_timeout_callwheel_alloc: the size doubles from 1 until it is not less than
// what was asked for.
func TestSlots(t *testing.T) {
	for asked, want := range map[int64]int{1: 1, 2: 2, 3: 4, 4: 4, 5: 8, 64: 64, 65: 128, wheel.SlotsMax - 1: wheel.SlotsMax} {
		w := coretest.Build(t, Algorithm, catalog.Params{"slots": asked}, 0)
		if got := w.Layout().Levels[0]; got != (wheel.Level{Level: 0, Slots: want, Width: 1}) {
			t.Errorf("%d slots: %+v, want %d", asked, got, want)
		}
	}
	for _, c := range []Config{{Slots: 0}, {Slots: wheel.SlotsMax + 1}, {Slots: 8, Start: -1}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}

// TestPlaces checks the slot and the tick of each timer against values computed by hand from
// callout_reset: to_ticks below 1 becomes 1, c_time = ticks + to_ticks, slot c_time & 7.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		start, delay wheel.Tick
		slot         uint32
		fires        wheel.Tick
	}{
		{0, 1, 1, 1},
		{0, 7, 7, 7},
		{0, 8, 0, 8},      // a whole revolution: the slot under the hand
		{0, 9, 1, 9},      // the hand passes it at 1
		{0, 20, 4, 20},    // and at 4 and 12
		{0, 0, 1, 1},      // the next tick
		{0, -5, 1, 1},     // the same
		{13, 0, 6, 14},    // 14 & 7
		{13, 3, 0, 16},    // 16 & 7
		{13, 200, 5, 213}, // 213 = 26·8 + 5
		{1 << 50, 12, 4, 1<<50 + 12},
	} {
		w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(8)}, c.start)
		if _, runs, err := w.Schedule(wheel.Spec{Due: c.start + c.delay, Key: 1}); err != nil || runs != 0 {
			t.Errorf("delay %d at %d: %d runs, %v", c.delay, c.start, runs, err)
			continue
		}
		if level, slot := coretest.PlaceOf(t, w); level != 0 || slot != c.slot {
			t.Errorf("delay %d at %d: level %d, slot %d, want slot %d", c.delay, c.start, level, slot, c.slot)
		}
		if got := coretest.FiresAt(w); got != c.fires {
			t.Errorf("delay %d at %d fires at %d, want %d", c.delay, c.start, got, c.fires)
		}
	}
}

// TestCostOfAVisit checks the counting rule: one slot per tick, and each timer of the slot is
// touched and its tick compared (depth in softclock), whether it fires or not.
func TestCostOfAVisit(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(4)}, 0)
	for k, due := range []wheel.Tick{2, 6, 10, 3} { // three share slot 2
		w.Schedule(wheel.Spec{Due: due, Key: uint32(k + 1)})
	}
	before := w.Cost()
	for _, c := range []struct{ to, touched, fired int64 }{{1, 0, 0}, {2, 3, 1}, {3, 1, 1}, {6, 2, 1}, {9, 0, 0}, {10, 1, 1}, {11, 0, 0}} {
		slots := c.to - w.Now()
		fired := coretest.Jump(w, c.to)
		got := w.Cost()
		if got.Slots-before.Slots != slots || got.Touched-before.Touched != c.touched || got.Compared-before.Compared != c.touched ||
			got.Moved != before.Moved || int64(len(fired)) != c.fired {
			t.Errorf("up to %d: %+v after %+v, %d fired; want %+v", c.to, got, before, len(fired), c)
		}
		before = got
	}
}

// TestRepeatOfARevolution has two timers whose next run belongs into the slot that is being
// visited: they wait there for one revolution, behind a timer that was not due.
func TestRepeatOfARevolution(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(4)}, 0)
	w.Schedule(wheel.Spec{Due: 2, Key: 1, Every: 4, Times: -1})
	w.Schedule(wheel.Spec{Due: 6, Key: 2})
	w.Schedule(wheel.Spec{Due: 2, Key: 3, Every: 4, Times: -1})
	for _, c := range []struct {
		to   wheel.Tick
		keys []uint32
	}{{2, []uint32{1, 3}}, {5, nil}, {6, []uint32{2, 1, 3}}, {10, []uint32{1, 3}}} {
		fired := coretest.Jump(w, c.to)
		if err := w.Check(); err != nil || len(fired) != len(c.keys) {
			t.Fatalf("at %d: %v, %v", c.to, fired, err)
		}
		for k, x := range fired {
			if x.Key != c.keys[k] || x.Due != c.to {
				t.Errorf("at %d: %v, want %v", c.to, fired, c.keys)
			}
		}
	}
}
