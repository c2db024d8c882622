package calendar

import (
	"math/rand/v2"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// newCalendar returns a calendar with the given parameters and its clock at tick 0.
func newCalendar(t *testing.T, p catalog.Params) *calendar {
	t.Helper()
	return coretest.Build(t, Algorithm, p, 0).(*calendar)
}

// calendarOf returns a calendar of two pages with a timer for each due tick.
func calendarOf(t *testing.T, p catalog.Params, dues ...wheel.Tick) (*calendar, []wheel.Timer, *wheel.Log) {
	t.Helper()
	w := newCalendar(t, p)
	log := &wheel.Log{Keep: true}
	w.Observe(log)
	var handles []wheel.Timer
	for k, due := range dues {
		h, _, err := w.Schedule(wheel.Spec{Due: due, Key: uint32(k + 1)})
		if err != nil {
			t.Fatal(err)
		}
		handles = append(handles, h)
	}
	return w, handles, log
}

// The year doubles when a timer makes more than two per page, and halves when fewer than
// n/2−2 are left, by cancelling or firing.
func TestCalendarFollowsItsCount(t *testing.T) {
	var dues []wheel.Tick
	for k := range wheel.Tick(33) {
		dues = append(dues, 10*(k+1))
	}
	w, handles, log := calendarOf(t, nil, dues...)
	var days []uint32
	for _, e := range log.Events {
		if e.Kind == wheel.KindResize {
			days = append(days, e.FromSlot)
		}
	}
	if want := []uint32{4, 8, 16, 32}; len(days) != 4 || days[0] != want[0] || days[3] != want[3] {
		t.Fatalf("grows to %v days, want %v", days, want)
	}
	for k := len(handles) - 1; k >= 14; k-- { // the year has 32 days as long as there are 14 timers
		w.Cancel(handles[k])
	}
	if n := len(w.Chains); n != 32 {
		t.Errorf("%d days for 14 timers, want 32", n)
	}
	w.Cancel(handles[13])
	if n := len(w.Chains); n != 16 {
		t.Errorf("%d days for 13 timers, want 16", n)
	}
	w.Advance(80, nil, 0) // 5 are left
	if n := len(w.Chains); n != 8 || w.Len() != 5 || w.Check() != nil {
		t.Errorf("%d days for %d timers, want 8 for 5; %v", n, w.Len(), w.Check())
	}
	w.Advance(1000, nil, 0)
	if n := len(w.Chains); n != 4 || w.Len() != 0 {
		t.Errorf("%d days when empty, want 4: below, the threshold is never met", n)
	}
}

// A day is three times the mean distance between the timers due next, without distances of
// twice the mean or more. If all are due at one tick the width is kept.
func TestCalendarMeasuresTheDay(t *testing.T) {
	for _, c := range []struct {
		dues []wheel.Tick
		day  wheel.Tick
	}{
		{[]wheel.Tick{10, 20, 30, 40, 50}, 30},
		{[]wheel.Tick{10, 12, 14, 16, 1000}, 6},        // one gap is twice the mean: it does not count
		{[]wheel.Tick{10, 11, 13, 14, 16}, 5},          // 1.5 · 3, rounded half up
		{[]wheel.Tick{9, 9, 9, 9, 10}, 1},              // never less than a tick
		{[]wheel.Tick{70, 70, 70, 70, 70}, 1},          // the width is kept
		{[]wheel.Tick{1, 5, 9, wheel.TickMax, 13}, 12}, // no overflow
	} {
		w, _, _ := calendarOf(t, nil, c.dues...)
		if w.Width != c.day || len(w.Chains) != 4 {
			t.Errorf("dues %v: %d days of %d, want 4 of %d", c.dues, len(w.Chains), w.Width, c.day)
		}
	}
	wide, _, _ := calendarOf(t, catalog.Params{"day": int64(7)}, wheel.TickMax-4, wheel.TickMax-3, wheel.TickMax-2, wheel.TickMax/2, wheel.TickMax/4)
	if wide.Width != wheel.WidthMax {
		t.Errorf("a day of %d, want the widest there is", wide.Width)
	}
}

// The cost of scheduling and cancelling does not depend on the number of timers, since the number
// of days in the year grows with it, even beyond the maximum number of slots of other wheels.
func TestCalendarCostDoesNotGrow(t *testing.T) {
	for _, n := range []int{1000, 10000, 200000} {
		r := rand.New(rand.NewPCG(1, 2))
		due := func() wheel.Tick { return 1000 + r.Int64N(3_599_000) } // a second to an hour, in ms
		w := newCalendar(t, nil)
		for k := range n {
			w.Schedule(wheel.Spec{Due: due(), Key: uint32(k + 1)})
		}
		const ops = 2000
		before := w.Cost().Total()
		for range ops {
			h, _, _ := w.Schedule(wheel.Spec{Due: due(), Key: 7})
			w.Cancel(h)
		}
		if cost := (w.Cost().Total() - before) / ops; cost > 8 {
			t.Errorf("with %d timers a start and a stop cost %d", n, cost)
		}
		if days := w.Layout().Levels[0].Slots; days < n/2 {
			t.Errorf("%d days for %d timers", days, n)
		}
	}
}

// The sample is at most 25 timers, those due next: a cluster behind them is not sampled, and
// all of it is on few pages.
func TestCalendarUnderSkew(t *testing.T) {
	var dues []wheel.Tick
	for k := range wheel.Tick(30) {
		dues = append(dues, 1+k*1000)
	}
	for range 200 {
		dues = append(dues, 100_000)
	}
	w, _, _ := calendarOf(t, nil, dues...)
	longest := uint32(0)
	for k := range w.Chains {
		longest = max(longest, w.Chains[k].Count)
	}
	if w.Width != 3000 || longest < 200 {
		t.Errorf("a day of %d and a page of %d, want 3000 and all timers due then", w.Width, longest)
	}
}

// The search for the next timer examines the pages of a year, then compares the first timers of all
// pages. Both are counted.
func TestCalendarSearchIsCounted(t *testing.T) {
	p := catalog.Params{"slots": int64(8), "day": int64(10), "resize": "off"}
	for _, c := range []struct {
		next         wheel.Tick
		slots, heads int64
	}{
		{3, 1, 1},      // the same page
		{25, 3, 1},     // two days later
		{79, 8, 1},     // the last day of the year
		{81, 8 + 8, 2}, // a whole year without a timer: its page was examined, and is compared at the end
		{200, 16, 2},
	} {
		w, _, _ := calendarOf(t, p, 2, c.next)
		before := w.Cost()
		w.Advance(2, nil, 0)
		after := w.Cost()
		if s, h := after.Slots-before.Slots-2, after.Compared-before.Compared; s != c.slots || h != c.heads {
			t.Errorf("next at %d: %d pages and %d heads, want %d and %d", c.next, s, h, c.slots, c.heads)
		}
		if at, ok := w.Next(); !ok || at != c.next {
			t.Errorf("next is %d, want %d", at, c.next)
		}
	}
}

// A timer that belongs in front of too many timers of its page is rejected; one behind them
// is not.
func TestCalendarSearchIsBounded(t *testing.T) {
	w := newCalendar(t, catalog.Params{"slots": int64(1), "resize": "off"})
	for k := range searchMax + 1 {
		w.Schedule(wheel.Spec{Due: 50, Key: uint32(k + 1)})
	}
	if !coretest.Refused(w, wheel.Spec{Due: 40, Key: 1 << 20}, wheel.ErrCapacity) {
		t.Error("a timer in front of all is not refused")
	}
	if _, _, err := w.Schedule(wheel.Spec{Due: 60, Key: 1 << 21}); err != nil {
		t.Errorf("behind all: %v", err)
	}
}
