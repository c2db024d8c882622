package wheel

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// lk668Lane is a wheel of lk668 with only these faults, watched.
func lk668Lane(t *testing.T, slots int, width Tick, on ...string) (*Lk668, *Log) {
	t.Helper()
	w, err := NewLk668(PositionConfig{Slots: slots, Width: width, Faults: append([]string{}, on...)})
	if err != nil {
		t.Fatal(err)
	}
	log := &Log{Keep: true}
	w.Observe(log)
	return w, log
}

// firingsOf are the ticks at which timer key fires up to `to`.
func firingsOf(w Wheel, key uint32, to Tick) (at []Tick) {
	for w.Now() < to {
		for _, x := range jump(w, w.Now()+1) {
			if x.Key == key {
				at = append(at, w.Now())
			}
		}
		if _, ok := w.Next(); !ok {
			break
		}
	}
	return at
}

// A delay of whole revolutions fires a revolution early by that fault alone, and
// every other delay is not touched by it.
func TestLk668RevolutionFault(t *testing.T) {
	for delay := Tick(1); delay <= 40; delay++ {
		right, _ := lk668Lane(t, 10, 1)
		wrong, log := lk668Lane(t, 10, 1, "revolution")
		jump(right, 7)
		jump(wrong, 7)
		s := Spec{Due: 7 + delay, Key: 1, Created: 7}
		right.Schedule(s)
		wrong.Schedule(s)
		early := firesAt(right) - firesAt(wrong)
		if want := []Tick{0, 10}[b2i(delay%10 == 0)]; early != want {
			t.Errorf("delay %d is %d ticks early, want %d", delay, early, want)
		}
		if told := len(findings(log)); told != b2i(delay%10 == 0) {
			t.Errorf("delay %d: %d findings", delay, told)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The vector's runaway: two endless tasks of one revolution in one slot are run
// 1001 times in one tick, then the wheel is stuck. One task alone goes on.
func TestLk668TickWithoutEnd(t *testing.T) {
	for tasks, want := range map[uint32]Status{1: Done, 2: Stuck, 3: Stuck} {
		w, log := lk668Lane(t, 12, 1, lk668Faults...)
		for key := range tasks {
			w.Schedule(Spec{Due: 12, Key: key + 1, Every: 12, Times: -1})
		}
		fired, status := w.Advance(60, nil, 0)
		if status != want {
			t.Fatalf("%d tasks: status %d, want %d", tasks, status, want)
		}
		if want == Done {
			continue
		}
		told := findings(log)
		last := told[len(told)-1]
		if len(fired) != int(tasks)+rerunsMax || last.Code != CodeStuck || last.X != int64(len(fired)) || last.Due != int64(tasks) {
			t.Errorf("%d tasks: %d runs, then %+v", tasks, len(fired), last)
		}
		if w.Now() != 1 || w.Check() != nil || w.Len() != int(tasks) {
			t.Errorf("it stands at %d with %d timers: %v", w.Now(), w.Len(), w.Check())
		}
	}
}

// With an end the storm passes: the runs that are left are all run in one tick.
func TestLk668Storm(t *testing.T) {
	w, log := lk668Lane(t, 10, 1, "storm", "interval")
	for key := range uint32(2) {
		w.Schedule(Spec{Due: 10, Key: key + 1, Every: 10, Times: 4})
	}
	fired, status := w.Advance(40, nil, 0)
	if status != Done || len(fired) != 8 || w.Len() != 0 {
		t.Fatalf("%d runs, status %d, %d left", len(fired), status, w.Len())
	}
	// The last one finds no neighbour in front of it any more.
	if got, want := findings(log), []Event{{Code: CodeStorm, ID: 1, Due: 2, X: 8}}; !slices.Equal(got, want) {
		t.Errorf("findings %+v, want %+v", got, want)
	}
}

// Two tasks of two revolutions lose the second round in the visit that arms them:
// each is told where it stands, with one round less.
func TestLk668RoundLostInTheSameVisit(t *testing.T) {
	w, log := lk668Lane(t, 4, 1, "storm", "interval")
	for key := range uint32(2) {
		w.Schedule(Spec{Due: 8, Key: key + 1, Every: 8, Times: 2})
	}
	again := 0
	for _, key := range []uint32{1, 2} {
		if got, want := firingsOf(w.Clone(), key, 40), []Tick{9, 13}; !slices.Equal(got, want) {
			t.Errorf("timer %d fires at %v, want %v", key, got, want)
		}
	}
	jump(w, 9)
	for _, e := range log.Events {
		if e.Kind == KindPlace && e.FromLevel == 0 && e.FromSlot == e.ToSlot && e.X == 0 {
			again++
		}
	}
	if again != 2 {
		t.Errorf("%d timers are told to lose a round where they stand, want 2", again)
	}
}

// Times are one too many by that fault, and the run on top is told.
func TestLk668Times(t *testing.T) {
	for times, runs := range map[int32]int{1: 1, 3: 3} {
		for _, faulty := range []bool{false, true} {
			w, log := lk668Lane(t, 12, 1, []string{"times"}[:b2i(faulty)]...)
			w.Schedule(Spec{Due: 5, Key: 1, Every: 5, Times: times})
			if got := len(firingsOf(w, 1, 60)); got != runs+b2i(faulty) {
				t.Errorf("times %d, faulty %v: %d runs", times, faulty, got)
			}
			want := []Event{{Code: CodeTwice, ID: 1, Due: int64(times), X: int64(times) + 1}}[:b2i(faulty)]
			if got := findings(log); !slices.Equal(got, want) {
				t.Errorf("times %d, faulty %v: findings %+v, want %+v", times, faulty, got, want)
			}
		}
	}
}

// Cut to whole ticks, an interval of 5 on ticks of 2 comes every 4.
func TestLk668Interval(t *testing.T) {
	for name, want := range map[string][]Tick{"interval": {6, 10, 14, 18}, "remove": {6, 12, 16, 22}} {
		w, _ := lk668Lane(t, 12, 2, name)
		w.Schedule(Spec{Due: 5, Key: 1, Every: 5, Times: 4})
		if got := firingsOf(w, 1, 60); !slices.Equal(got, want) {
			t.Errorf("%s: fires at %v, want %v", name, got, want)
		}
	}
}

// Removing a timer that has ended panics; removing one that waits, or that never
// was, does not, and without the fault none does.
func TestLk668Remove(t *testing.T) {
	for _, faulty := range []bool{true, false} {
		w, log := lk668Lane(t, 8, 1, []string{"remove"}[:b2i(faulty)]...)
		waits, _, _ := w.Schedule(Spec{Due: 6, Key: 1})
		gone, _, _ := w.Schedule(Spec{Due: 1, Key: 2})
		jump(w, 3)
		if w.Remove(Timer{}, 9) || !w.Remove(waits, 1) || len(findings(log)) > 0 {
			t.Fatalf("removing what waits: %+v", findings(log))
		}
		if w.Remove(gone, 2) {
			t.Error("a timer that fired was removed")
		}
		want := []Event{{Code: CodePanic, ID: 2, Due: 0, X: -1}}[:b2i(faulty)] // not the numbers of a division by zero
		w.Remove(gone, 2)                                                      // a dead wheel dies once
		if got := findings(log); !slices.Equal(got, want) {
			t.Errorf("findings %+v, want %+v", got, want)
		}
	}
}

// In whole seconds, half a second is none and divides by zero: of the tick and of
// a delay.
func TestLk668BelowASecond(t *testing.T) {
	for what, c := range map[string]struct {
		width Tick
		spec  Spec
	}{
		"tick":  {5, Spec{Due: 30, Key: 2}},
		"delay": {10, Spec{Due: 9, Key: 2}},
	} {
		w, err := NewLk668(PositionConfig{Slots: 8, Width: c.width, TickNanos: 1e8})
		if err != nil {
			t.Fatal(err)
		}
		log := &Log{Keep: true}
		w.Observe(log)
		if _, _, err := w.Schedule(c.spec); !errors.Is(err, ErrFault) {
			t.Errorf("%s: %v", what, err)
		}
		if got, want := findings(log), []Event{{Code: CodePanic, ID: 2, Due: 1, X: 0}}; !slices.Equal(got, want) {
			t.Errorf("%s: findings %+v, want %+v", what, got, want)
		}
	}
}

// What AddTask refuses is refused; a delay past time.Duration has no slot.
func TestLk668Refusals(t *testing.T) {
	const longest = Tick(math.MaxInt64 / 1_000_000_000)
	for due, want := range map[Tick]error{50: ErrPast, 49: ErrPast, 51: nil, 50 + longest: nil, 51 + longest: ErrRange, TickMax: ErrRange} {
		w, _ := lk668Lane(t, 8, 1, lk668Faults...)
		jump(w, 50)
		if _, _, err := w.Schedule(Spec{Due: due, Key: 1, Created: 50}); !errors.Is(err, want) {
			t.Errorf("due %d: %v, want %v", due, err, want)
		}
	}
}

// The wall clock is read for the creation time, and for nothing else.
func TestLk668ReadsTheWall(t *testing.T) {
	for _, by := range []Tick{0, 5, -3} {
		w, _ := lk668Lane(t, 16, 1)
		jump(w, 2)
		w.JumpWall(by)
		w.Schedule(Spec{Due: 14, Key: 1, Created: 0})      // meant to fire at 12, by the wall
		w.Schedule(Spec{Due: 14, Key: 2, Created: 2 + by}) // created now
		if got, want := firingsOf(w.Clone(), 1, 40), []Tick{13 - by}; !slices.Equal(got, want) {
			t.Errorf("set on by %d, it fires at %v, want %v", by, got, want)
		}
		if got, want := firingsOf(w, 2, 40), []Tick{15}; !slices.Equal(got, want) {
			t.Errorf("set on by %d, what was created now fires at %v, want %v", by, got, want)
		}
	}
}

// A copy keeps its own creation times.
func TestLk668CopyKeepsItsCreationTimes(t *testing.T) {
	w := build(t, "lk668", Params{"slots": int64(16), "as": "corrected"}, 2)
	early, _, _ := w.Schedule(Spec{Due: 14, Key: 1, Created: 0}) // meant to fire at 12
	other := w.Clone()
	other.Cancel(early)
	other.Schedule(Spec{Due: 14, Key: 2, Created: 2}) // in the place of the other
	for key, w := range []Wheel{w, other} {
		if err := w.Check(); err != nil {
			t.Errorf("wheel %d: %v", key, err)
		}
	}
}
