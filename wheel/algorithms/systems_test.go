package algorithms

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"pgregory.net/rapid"
)

// A Linux wheel fires after the due tick, late by at most the width of the slot,
// and by no more than 8/63 of the delay from level 1 on. The bound is reached.
func TestLinuxIsLateByItsRounding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newRig(t, lane{id: "linux", start: rapid.Int64Range(0, 1<<20).Draw(t, "start")}, true)
		jump(r.w, r.w.Now()+rapid.Int64Range(0, 5000).Draw(t, "now"))
		delay := rapid.OneOf(rapid.Int64Range(0, 600), rapid.Int64Range(0, 1<<28)).Draw(t, "delay")
		due := r.w.Now() + delay
		r.do(op{delay: delay}, nil)
		place := r.log.Events[1]
		width := r.w.Layout().Levels[place.ToLevel].Width
		late := firesAt(r.w) - due
		if late < 1 || late > width {
			t.Fatalf("delay %d is %d late from a slot of %d", delay, late, width)
		}
		if place.ToLevel > 0 && late*63 > 8*delay {
			t.Fatalf("delay %d is %d late: more than 8/63", delay, late)
		}
	})
	w := build(t, "linux", nil, 1)
	w.Schedule(wheel.Spec{Due: 64, Key: 1})
	if at := firesAt(w); at != 72 {
		t.Errorf("63 ticks from 1 fires at %d, want 72: 8 late", at)
	}
}

// What is due past the last level of a Linux wheel is brought back to its end,
// and fires early.
func TestLinuxBringsBackWhatIsTooFar(t *testing.T) {
	for levels, longest := range map[int64]wheel.Tick{9: 1040187392, 8: 130023424} {
		w := build(t, "linux", catalog.Params{"levels": levels}, 0)
		w.Schedule(wheel.Spec{Due: 1 << 50, Key: 1})
		width := wheel.Tick(1) << (3 * (levels - 1))
		if at := firesAt(w); at < longest || at > longest+width {
			t.Errorf("%d levels: fires at %d, want %d and at most a slot more", levels, at, longest)
		}
	}
}

// In the top level of tokio's wheel a timer a whole range ahead, in the clock's
// own slot, hides the slot that follows: its timers fire a range late. Those of
// the slot after it do not.
func TestTokioHidesTheNextSlot(t *testing.T) {
	const slot, span = wheel.Tick(1) << 30, wheel.Tick(1) << 36
	for _, c := range []struct {
		ahead bool
		due   wheel.Tick
		fires wheel.Tick
	}{{false, slot, slot}, {true, slot, slot + span}, {true, 2 * slot, 2 * slot}} {
		w := build(t, "tokio", nil, 0)
		if c.ahead {
			w.Schedule(wheel.Spec{Due: span + 5, Key: 1})
		}
		w.Schedule(wheel.Spec{Due: c.due, Key: 2})
		for fired, found := []wheel.Expiry(nil), false; !found; {
			at, ok := w.Next()
			if !ok {
				t.Fatalf("%+v: never fires", c)
			}
			fired = jump(w, at)
			for _, x := range fired {
				if found = found || x.Key == 2; x.Key == 2 && at != c.fires {
					t.Errorf("%+v: fires at %d", c, at)
				}
			}
		}
	}
}

// Scheme 1 pays for every timer at every tick, walked or not; the count stays
// where it can't grow.
func TestListPaysForEveryTimer(t *testing.T) {
	w := build(t, "list", nil, 0)
	for k := range 10 {
		w.Schedule(wheel.Spec{Due: 1000, Key: uint32(k + 1)})
	}
	armed := w.Cost()
	jump(w, 100)
	if c := w.Cost(); c.Slots != 100 || c.Touched-armed.Touched != 1000 {
		t.Errorf("100 ticks of 10 timers cost %+v", c)
	}
	far := build(t, "list", nil, 0)
	for k := range 10 {
		far.Schedule(wheel.Spec{Due: wheel.TickMax, Key: uint32(k + 1)})
	}
	jump(far, wheel.TickMax-1)
	if c := far.Cost(); c.Touched != core.TouchedMax || c.Total() < 0 {
		t.Errorf("2^62 ticks of 10 timers cost %+v", c)
	}
}

// A slot of sorted timers takes LinearMax of them, whatever stands elsewhere.
func TestSortedSlotIsBounded(t *testing.T) {
	w := build(t, "hashed-sorted", catalog.Params{"slots": int64(2)}, 0)
	for k := range wheel.LinearMax { // each in front of all: one comparison
		if _, _, err := w.Schedule(wheel.Spec{Due: wheel.Tick(2 * (wheel.LinearMax - k)), Key: uint32(k + 1)}); err != nil {
			t.Fatalf("timer %d: %v", k, err)
		}
	}
	if !refused(w, wheel.Spec{Due: 8, Key: wheel.LinearMax + 1}, wheel.ErrCapacity) {
		t.Error("a timer past LinearMax in one slot is not refused")
	}
	if _, _, err := w.Schedule(wheel.Spec{Due: 9, Key: wheel.LinearMax + 2}); err != nil {
		t.Errorf("the other slot: %v", err)
	}
}

// A timer added to an empty classic wheel at tick t is placed by t, one added to
// a wheel that is running by t+1: so the level of a delay of 256 differs.
func TestClassicClockOfAnEmptyWheel(t *testing.T) {
	w := build(t, "linux-classic", nil, 0)
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	jump(w, 10)
	w.Schedule(wheel.Spec{Due: 266, Key: 1})
	jump(w, 11)
	w.Schedule(wheel.Spec{Due: 267, Key: 2})
	if a, b := log.Events[1], log.Events[len(log.Events)-1]; a.ToLevel != 1 || b.ToLevel != 0 {
		t.Errorf("levels %d and %d, want 1 and 0", a.ToLevel, b.ToLevel)
	}
}
