package linux

import (
	"math/rand/v2"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// A Linux wheel fires after the due tick, late by at most the width of the slot and, from
// level 1 on, by at most 8/63 of the delay. The bound is reached.
func TestLinuxIsLateByItsRounding(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		w := coretest.Build(t, Algorithm, nil, rnd.Int64N(1<<20+1))
		log := wheel.Log{Keep: true}
		w.Observe(&log)
		coretest.Jump(w, w.Now()+rnd.Int64N(5001))
		delay := rnd.Int64N([]int64{601, 1<<28 + 1}[rnd.IntN(2)])
		due := w.Now() + delay
		w.Schedule(wheel.Spec{Due: due, Key: 1})
		place := log.Events[1]
		width := w.Layout().Levels[place.ToLevel].Width
		late := coretest.FiresAt(w) - due
		if late < 1 || late > width {
			t.Fatalf("delay %d is %d late from a slot of %d", delay, late, width)
		}
		if place.ToLevel > 0 && late*63 > 8*delay {
			t.Fatalf("delay %d is %d late: more than 8/63", delay, late)
		}
	}
	w := coretest.Build(t, Algorithm, nil, 1)
	w.Schedule(wheel.Spec{Due: 64, Key: 1})
	if at := coretest.FiresAt(w); at != 72 {
		t.Errorf("63 ticks from 1 fires at %d, want 72: 8 late", at)
	}
}

// A timer due beyond the last level of a Linux wheel is put at the end of that level, and
// fires early.
func TestLinuxBringsBackWhatIsTooFar(t *testing.T) {
	for levels, longest := range map[int64]wheel.Tick{9: 1040187392, 8: 130023424} {
		w := coretest.Build(t, Algorithm, catalog.Params{"levels": levels}, 0)
		w.Schedule(wheel.Spec{Due: 1 << 50, Key: 1})
		width := wheel.Tick(1) << (3 * (levels - 1))
		if at := coretest.FiresAt(w); at < longest || at > longest+width {
			t.Errorf("%d levels: fires at %d, want %d and at most a slot more", levels, at, longest)
		}
	}
}

// A timer added to an empty classic wheel at tick t is placed by t, one added to a wheel that
// is not empty by t+1. The level of a delay of 256 therefore differs.
func TestClassicClockOfAnEmptyWheel(t *testing.T) {
	w := coretest.Build(t, ClassicAlgorithm, nil, 0)
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	coretest.Jump(w, 10)
	w.Schedule(wheel.Spec{Due: 266, Key: 1})
	coretest.Jump(w, 11)
	w.Schedule(wheel.Spec{Due: 267, Key: 2})
	if a, b := log.Events[1], log.Events[len(log.Events)-1]; a.ToLevel != 1 || b.ToLevel != 0 {
		t.Errorf("levels %d and %d, want 1 and 0", a.ToLevel, b.ToLevel)
	}
}
