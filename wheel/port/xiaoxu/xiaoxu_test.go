package xiaoxu

import (
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
	"github.com/wheelscope/wheelscope/wheel/port"
)

// A pause in which at most one tick passes loses no tick.
func TestShortPauseLosesNothing(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(8), "width": int64(10)}, 0).(port.TickCounter)
	w.Schedule(wheel.Spec{Due: 12, Key: 1})
	w.Resume(9, nil)
	w.Resume(14, nil) // the tick at 10, processed at 14
	if fired, _ := w.Resume(9, nil); len(fired) > 0 || w.Now() != 14 {
		t.Fatalf("a pause that ends before it began moves the wheel to %d", w.Now())
	}
	if at := coretest.FiresAt(w); at != 20 || w.(port.HandClock).HandTime() != 20 {
		t.Errorf("it fires at %d by a clock at %d, want 20", at, w.(port.HandClock).HandTime())
	}
}

// A panic caused by the pause ends the wheel like any other panic.
func TestResumeIntoAPanic(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(16)}, 0).(port.TickCounter)
	w.Schedule(wheel.Spec{Due: 1, Key: 1, Every: 1, Times: -1})
	coretest.Jump(w, 1)
	if fired, status := w.Resume(30, nil); status != wheel.Stuck || len(fired) != 1 {
		t.Errorf("fires %v, status %d: a second run 29 ticks ago has no slot", fired, status)
	}
}

// A panic in the middle of a visit ends it: the timers behind it stay, and can be
// cancelled.
func TestPanicInTheMiddleOfAVisit(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(4)}, 0).(port.TickCounter)
	w.Schedule(wheel.Spec{Due: 0, Key: 1, Every: 1, Times: -1})
	behind, _, _ := w.Schedule(wheel.Spec{Due: 0, Key: 2})
	fired, status := w.Resume(31, nil) // the second run is due 30 ticks ago: slot (1 − 30) mod 4 = −1
	if want := []wheel.Expiry{{Due: 0, Key: 1, Run: 1}}; !slices.Equal(fired, want) || status != wheel.Stuck {
		t.Fatalf("fires %v, status %d, want %v", fired, status, want)
	}
	if err := w.Check(); err != nil || w.Len() != 1 || !w.Cancel(behind) {
		t.Errorf("%d timers are left: %v", w.Len(), err)
	}
}

// A slot computed before the tick and used after it is behind the hand: a timer with a delay of
// less than a tick waits for a whole revolution. Between ticks the slot is right.
func TestXiaoxuSlotComputedOutside(t *testing.T) {
	for now, want := range map[wheel.Tick]wheel.Tick{30: 130, 31: 40, 39: 40, 0: 10} {
		w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(10), "width": int64(10), "faults": []string{"outside"}}, 0)
		log := wheel.Log{Keep: true}
		w.Observe(&log)
		coretest.Jump(w, now)
		w.Schedule(wheel.Spec{Due: now + 5, Key: 1})
		if at := coretest.FiresAt(w); at != want {
			t.Errorf("armed at %d, it fires at %d, want %d", now, at, want)
		}
		if found := coretest.Findings(&log); (len(found) == 1) != (want == 130) {
			t.Errorf("armed at %d: findings %+v", now, found)
		}
	}
}
