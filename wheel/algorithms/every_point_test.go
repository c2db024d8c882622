package algorithms

import (
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// pointLanes returns lanes in which a timer moves before it fires, in tiny and in large
// geometries.
func pointLanes() (all []lane) {
	for _, l := range lanes() {
		if l.isExact() && !l.isSeed() {
			all = append(all, l)
		}
	}
	for _, l := range []lane{
		{id: "hierarchical", params: catalog.Params{"slots": int64(64), "levels": int64(4)}},
		{id: "hierarchical", params: catalog.Params{"slots": int64(256), "placement": "digits"}},
		{id: "hierarchical", params: catalog.Params{"slots": sizes(60, 60, 24, 100), "placement": "digits"}},
		{id: "simple", params: catalog.Params{"slots": int64(4096), "overflow": "list"}},
		{id: "rounds", params: catalog.Params{"slots": int64(4096)}},
		{id: "hashed-sorted", params: catalog.Params{"slots": int64(4096)}},
		{id: "kafka", params: catalog.Params{"slots": int64(512), "drive": "tick"}},
		{id: "linux-classic"},
	} {
		l.name = laneName(l.id, l.params)
		all = append(all, l)
	}
	return all
}

// A timer cancelled at any tick before it is due, before, between and after its cascades, never
// fires and leaves the wheel consistent. Scheduled anew at that tick, it fires at its new due
// tick. Another timer is not affected.
func TestCancelAtEveryPoint(t *testing.T) {
	for _, l := range pointLanes() {
		t.Run(l.name, func(t *testing.T) {
			for _, delay := range testkit.Pick([]wheel.Tick{1, 4, 9, 17, 70, 129}, []wheel.Tick{1, 4, 9, 17, 64, 70, 129, 300}) {
				for at := wheel.Tick(0); at < delay; at++ {
					l.cancelAt(t, delay, at, false)
					l.cancelAt(t, delay, at, true)
				}
			}
		})
	}
}

// cancelAt schedules a timer and another like it, cancels the first at tick `at` (and schedules
// it anew if again is set), and checks what fires.
func (l lane) cancelAt(t *testing.T, delay, at wheel.Tick, again bool) {
	t.Helper()
	w := l.build(t)
	h, _, err := w.Schedule(wheel.Spec{Due: delay, Key: 1})
	_, _, other := w.Schedule(wheel.Spec{Due: delay, Key: 2})
	if err != nil || other != nil || h.IsZero() {
		return // beyond the range, or due at once
	}
	want := map[uint32]wheel.Tick{2: l.fires(delay)}
	jump(w, at)
	switch had := w.Cancel(h); {
	case !had && at < l.fires(delay):
		t.Fatalf("delay %d: no timer to cancel at %d", delay, at)
	case !had:
		return // it fired early, by the rounding of the lane
	}
	if again {
		if _, runs, err := w.Schedule(wheel.Spec{Due: at + delay, Key: 3}); err == nil && runs == 0 {
			want[3] = l.fires(at + delay)
		}
	}
	if err := w.Check(); err != nil {
		t.Fatalf("delay %d, cancelled at %d: %v", delay, at, err)
	}
	for tick, ok := w.Next(); ok; tick, ok = w.Next() {
		for _, x := range jump(w, tick) {
			if want[x.Key] != tick {
				t.Fatalf("delay %d, cancelled at %d: timer %d fires at %d, want %d", delay, at, x.Key, tick, want[x.Key])
			}
			delete(want, x.Key)
		}
	}
	if len(want) > 0 || w.Len() != 0 || w.Check() != nil {
		t.Fatalf("delay %d, cancelled at %d: %v never fire; %v", delay, at, want, w.Check())
	}
}

// fires returns the tick at which an exact lane fires a timer due at `due`.
func (l lane) fires(due wheel.Tick) wheel.Tick { return l.tickOf(due) * l.width() }
