package lk668

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
	"github.com/wheelscope/wheelscope/wheel/port"
	"github.com/wheelscope/wheelscope/wheel/port/internal/ring"
)

// lk668Wheel is the interface through which the tests drive an lk668 wheel.
type lk668Wheel interface {
	port.TickCounter
	port.CallTimeSetter
	port.HandClock
	port.WallClockSetter
	port.Remover
	port.CreationSetter
}

// lk668Lane returns an lk668 wheel with only the given faults, and its log.
func lk668Lane(t *testing.T, slots int, width wheel.Tick, on ...string) (lk668Wheel, *wheel.Log) {
	t.Helper()
	w, err := New(Config{Slots: slots, Width: width, Faults: append([]string{}, on...)})
	if err != nil {
		t.Fatal(err)
	}
	log := &wheel.Log{Keep: true}
	w.Observe(log)
	return w.(lk668Wheel), log
}

// With this fault alone, a delay of whole revolutions fires one revolution early, and every
// other delay is on time.
func TestLk668RevolutionFault(t *testing.T) {
	for delay := wheel.Tick(1); delay <= 40; delay++ {
		right, _ := lk668Lane(t, 10, 1)
		wrong, log := lk668Lane(t, 10, 1, "revolution")
		coretest.Jump(right, 7)
		coretest.Jump(wrong, 7)
		s := wheel.Spec{Due: 7 + delay, Key: 1}
		right.Schedule(s)
		wrong.Schedule(s)
		early := coretest.FiresAt(right) - coretest.FiresAt(wrong)
		if want := []wheel.Tick{0, 10}[b2i(delay%10 == 0)]; early != want {
			t.Errorf("delay %d is %d ticks early, want %d", delay, early, want)
		}
		if found := len(coretest.Findings(log)); found != b2i(delay%10 == 0) {
			t.Errorf("delay %d: %d findings", delay, found)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Two endless tasks of one revolution in one slot run 1001 times in one tick, as recorded in
// testdata/lk668.json ("runaway"). Then the wheel is stuck. A single task causes no fault.
func TestLk668TickWithoutEnd(t *testing.T) {
	for tasks, want := range map[uint32]wheel.Status{1: wheel.Done, 2: wheel.Stuck, 3: wheel.Stuck} {
		w, log := lk668Lane(t, 12, 1, faultNames...)
		for key := range tasks {
			w.Schedule(wheel.Spec{Due: 12, Key: key + 1, Every: 12, Times: -1})
		}
		fired, status := w.Advance(60, nil, 0)
		if status != want {
			t.Fatalf("%d tasks: status %d, want %d", tasks, status, want)
		}
		if want == wheel.Done {
			continue
		}
		found := coretest.Findings(log)
		last := found[len(found)-1]
		if len(fired) != int(tasks)+ring.RerunsMax || last.Code != wheel.CodeStuck || last.X != int64(len(fired)) || last.Due != int64(tasks) {
			t.Errorf("%d tasks: %d runs, then %+v", tasks, len(fired), last)
		}
		if w.Now() != 1 || w.Check() != nil || w.Len() != int(tasks) {
			t.Errorf("it is at %d with %d timers: %v", w.Now(), w.Len(), w.Check())
		}
	}
}

// If the tasks have an end the storm is finite: all remaining runs occur in one tick.
func TestLk668Storm(t *testing.T) {
	w, log := lk668Lane(t, 10, 1, "storm", "interval")
	for key := range uint32(2) {
		w.Schedule(wheel.Spec{Due: 10, Key: key + 1, Every: 10, Times: 4})
	}
	fired, status := w.Advance(40, nil, 0)
	if status != wheel.Done || len(fired) != 8 || w.Len() != 0 {
		t.Fatalf("%d runs, status %d, %d left", len(fired), status, w.Len())
	}
	// The last run finds no other timer in front of it any more.
	if got, want := coretest.Findings(log), []wheel.Event{{Code: wheel.CodeStorm, ID: 1, Due: 2, X: 8}}; !slices.Equal(got, want) {
		t.Errorf("findings %+v, want %+v", got, want)
	}
}

// Two tasks of two revolutions lose their second round in the visit that schedules them: the
// event places each in its own slot again, with one round less.
func TestLk668RoundLostInTheSameVisit(t *testing.T) {
	w, log := lk668Lane(t, 4, 1, "storm", "interval")
	for key := range uint32(2) {
		w.Schedule(wheel.Spec{Due: 8, Key: key + 1, Every: 8, Times: 2})
	}
	again := 0
	for _, key := range []uint32{1, 2} {
		if got, want := coretest.FiringsOf(w.Clone(), key, 40), []wheel.Tick{9, 13}; !slices.Equal(got, want) {
			t.Errorf("timer %d fires at %v, want %v", key, got, want)
		}
	}
	coretest.Jump(w, 9)
	for _, e := range log.Events {
		if e.Kind == wheel.KindPlace && e.FromLevel == 0 && e.FromSlot == e.ToSlot && e.X == 0 {
			again++
		}
	}
	if again != 2 {
		t.Errorf("%d timers lose a round in place, want 2", again)
	}
}

// This fault adds one run, and a finding reports it.
func TestLk668Times(t *testing.T) {
	for times, runs := range map[int32]int{1: 1, 3: 3} {
		for _, faulty := range []bool{false, true} {
			w, log := lk668Lane(t, 12, 1, []string{"times"}[:b2i(faulty)]...)
			w.Schedule(wheel.Spec{Due: 5, Key: 1, Every: 5, Times: times})
			if got := len(coretest.FiringsOf(w, 1, 60)); got != runs+b2i(faulty) {
				t.Errorf("times %d, faulty %v: %d runs", times, faulty, got)
			}
			want := []wheel.Event{{Code: wheel.CodeTwice, ID: 1, Due: int64(times), X: int64(times) + 1}}[:b2i(faulty)]
			if got := coretest.Findings(log); !slices.Equal(got, want) {
				t.Errorf("times %d, faulty %v: findings %+v, want %+v", times, faulty, got, want)
			}
		}
	}
}

// Rounded down to whole ticks, an interval of 5 on ticks of 2 fires every 4.
func TestLk668Interval(t *testing.T) {
	for name, want := range map[string][]wheel.Tick{"interval": {6, 10, 14, 18}, "remove": {6, 12, 16, 22}} {
		w, _ := lk668Lane(t, 12, 2, name)
		w.Schedule(wheel.Spec{Due: 5, Key: 1, Every: 5, Times: 4})
		if got := coretest.FiringsOf(w, 1, 60); !slices.Equal(got, want) {
			t.Errorf("%s: fires at %v, want %v", name, got, want)
		}
	}
}

// Removing a timer that has ended panics. Removing a pending timer, or one that never existed, does
// not panic. Without the fault no removal panics.
func TestLk668Remove(t *testing.T) {
	for _, faulty := range []bool{true, false} {
		w, log := lk668Lane(t, 8, 1, []string{"remove"}[:b2i(faulty)]...)
		waits, _, _ := w.Schedule(wheel.Spec{Due: 6, Key: 1})
		gone, _, _ := w.Schedule(wheel.Spec{Due: 1, Key: 2})
		coretest.Jump(w, 3)
		if w.Remove(wheel.Timer{}, 9) || !w.Remove(waits, 1) || len(coretest.Findings(log)) > 0 {
			t.Fatalf("removing what waits: %+v", coretest.Findings(log))
		}
		if w.Remove(gone, 2) {
			t.Error("a timer that fired was removed")
		}
		want := []wheel.Event{{Code: wheel.CodePanic, ID: 2, Due: 0, X: -1}}[:b2i(faulty)] // a panic of a nil pointer has no numbers, unlike a division by zero
		w.Remove(gone, 2)                                                                  // only the first panic is reported
		if got := coretest.Findings(log); !slices.Equal(got, want) {
			t.Errorf("findings %+v, want %+v", got, want)
		}
	}
}

// In whole seconds, half a second is 0 and divides by zero, both as the tick and as a
// delay.
func TestLk668BelowASecond(t *testing.T) {
	for what, c := range map[string]struct {
		width wheel.Tick
		spec  wheel.Spec
	}{
		"tick":  {5, wheel.Spec{Due: 30, Key: 2}},
		"delay": {10, wheel.Spec{Due: 9, Key: 2}},
	} {
		w, err := New(Config{Slots: 8, Width: c.width, TickNanos: 1e8})
		if err != nil {
			t.Fatal(err)
		}
		log := &wheel.Log{Keep: true}
		w.Observe(log)
		if _, _, err := w.Schedule(c.spec); !errors.Is(err, wheel.ErrFault) {
			t.Errorf("%s: %v", what, err)
		}
		if got, want := coretest.Findings(log), []wheel.Event{{Code: wheel.CodePanic, ID: 2, Due: 1, X: 0}}; !slices.Equal(got, want) {
			t.Errorf("%s: findings %+v, want %+v", what, got, want)
		}
	}
}

// AddTask's invalid parameters are rejected; a delay beyond time.Duration has no slot.
func TestLk668Refusals(t *testing.T) {
	const longest = wheel.Tick(math.MaxInt64 / 1_000_000_000)
	for due, want := range map[wheel.Tick]error{50: wheel.ErrPast, 49: wheel.ErrPast, 51: nil, 50 + longest: nil, 51 + longest: wheel.ErrRange, wheel.TickMax: wheel.ErrRange} {
		w, _ := lk668Lane(t, 8, 1, faultNames...)
		coretest.Jump(w, 50)
		if _, _, err := w.Schedule(wheel.Spec{Due: due, Key: 1}); !errors.Is(err, want) {
			t.Errorf("due %d: %v, want %v", due, err, want)
		}
	}
}

// The wall clock affects only the age of a timer.
func TestLk668ReadsTheWall(t *testing.T) {
	for _, by := range []wheel.Tick{0, 5, -3} {
		w, _ := lk668Lane(t, 16, 1)
		coretest.Jump(w, 2)
		w.MoveWallClock(by)
		w.SetCreated(0)
		w.Schedule(wheel.Spec{Due: 14, Key: 1}) // should fire at 12, by the wall clock
		w.Schedule(wheel.Spec{Due: 14, Key: 2}) // created now
		if got, want := coretest.FiringsOf(w.Clone(), 1, 40), []wheel.Tick{13 - by}; !slices.Equal(got, want) {
			t.Errorf("set on by %d, it fires at %v, want %v", by, got, want)
		}
		if got, want := coretest.FiringsOf(w, 2, 40), []wheel.Tick{15}; !slices.Equal(got, want) {
			t.Errorf("set on by %d, what was created now fires at %v, want %v", by, got, want)
		}
	}
}

// A copy keeps its own creation times.
func TestLk668CopyKeepsItsCreationTimes(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(16), "as": "corrected"}, 2)
	w.(port.CreationSetter).SetCreated(0)
	early, _, _ := w.Schedule(wheel.Spec{Due: 14, Key: 1}) // should fire at 12
	other := w.Clone()
	other.Cancel(early)
	other.Schedule(wheel.Spec{Due: 14, Key: 2}) // in the place of the other
	for key, w := range []wheel.Observable{w, other} {
		if err := w.Check(); err != nil {
			t.Errorf("wheel %d: %v", key, err)
		}
	}
}
