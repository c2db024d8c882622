package algorithms

import (
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

func build(t *testing.T, id string, p catalog.Params, start wheel.Tick) wheel.Observable {
	t.Helper()
	return lane{name: id, id: id, params: p, start: start}.build(t)
}

// A timer at the last tick waits, in the algorithms whose range includes it, and fires. For
// tokio the clock starts near it: timers 2^36 or more ahead go round its last level.
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

// A due tick of more than 62 bits is rejected with ErrRange, when the timer is scheduled or when
// a repeat would have such a due tick.
func TestPastTheLastTick(t *testing.T) {
	for _, l := range lanes() {
		l.start = wheel.TickMax - 12*l.width()
		t.Run(l.name, func(t *testing.T) {
			w := l.build(t)
			log := wheel.Log{}
			w.Observe(&log)
			for _, s := range []wheel.Spec{{Key: 1, Due: wheel.TickMax + 1}, {Key: 1, Due: 1<<63 - 1}, {Key: 1, Due: -1 << 63}, {Key: 1, Due: wheel.TickMax, Every: wheel.TickMax + 1, Times: -1}} {
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

// A repeat with more than RunsAtOnceMax runs already due is rejected; one with exactly that many
// is executed, and so are a few runs however far back they begin.
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

// In a wide slot the runs of one timer between two slot boundaries occur one after another in
// the same tick. If they exceed the bound, the timer ends.
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
