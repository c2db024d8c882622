package algorithms

import (
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/port"
	"pgregory.net/rapid"
)

// within reports whether the rule of lk668, xiaoxu and godis allows a timer to fire `off` ticks
// after it is due, with ticks of u.
func within(off, u wheel.Tick) bool { return -u < off && off <= u }

// If no fault is switched on, every run occurs within (due−u, due+u], including those of a
// repeat, and no finding is emitted.
func TestCorrectedLibrariesKeepTheirBound(t *testing.T) {
	corrected := func(l lane) bool { return l.isSeed() && l.params["as"] == "corrected" }
	eachLane(t, corrected, func(t *rapid.T, l lane) {
		r := newRig(t, l, true)
		for _, o := range ops(t) {
			o.age = 0 // a creation time deliberately moves a timer
			now := r.w.Now()
			r.do(o, func(w wheel.Observable, to wheel.Tick) (all []wheel.Expiry) {
				for at := w.Now() + 1; at <= to; at++ {
					for _, x := range jump(w, at) {
						if !within(at-x.Due, l.width()) {
							t.Fatalf("run %d of timer %d is due %d and fires at %d", x.Run, x.Key, x.Due, at)
						}
						all = append(all, x)
					}
				}
				return all
			})
			r.check(t)
			if len(findings(&r.log)) > 0 {
				t.Fatalf("after %+v at %d it emits %+v", o, now, findings(&r.log))
			}
		}
	})
}

// In the published versions, a timer that is scheduled once for a future tick and meets no fault
// keeps the same bound, and comes as close to both ends as possible. (Up to u−1 of a tick and of a
// delay can be left out, so the earliest is u − 2·(u−1).)
func TestPublishedLibrariesReachTheirBound(t *testing.T) {
	const u = 10
	for _, id := range []string{"lk668", "xiaoxu", "godis"} {
		least, most := wheel.Tick(u), wheel.Tick(-u)
		for now := range wheel.Tick(2 * u) {
			for delay := wheel.Tick(1); delay < 9*u; delay++ {
				w := build(t, id, catalog.Params{"slots": int64(12), "width": int64(u)}, 0)
				jump(w, now)
				w.Schedule(wheel.Spec{Due: now + delay, Key: 1})
				off := firesAt(w) - now - delay
				least, most = min(least, off), max(most, off)
			}
		}
		if least != -u+2 || most != u {
			t.Errorf("%s fires from %d to %d ticks after the due tick, want from %d to %d", id, least, most, -u+2, u)
		}
	}
}

// A ticker keeps one tick while the driver is stopped: of seven that pass, one is processed when
// the driver continues, and the hand stays six behind.
func TestMissedTicksAreLost(t *testing.T) {
	for _, id := range []string{"lk668", "xiaoxu", "godis"} {
		w := build(t, id, catalog.Params{"slots": int64(16), "width": int64(10)}, 5).(port.TickCounter)
		log := wheel.Log{Keep: true}
		w.Observe(&log)
		jump(w, 25)
		w.Schedule(wheel.Spec{Due: 30, Key: 1})
		w.Schedule(wheel.Spec{Due: 45, Key: 2})
		jump(w, 32)
		fired, status := w.Resume(99, nil) // 35, 45, …, 95 pass
		if want := []wheel.Expiry{{Due: 30, Key: 1, Run: 1}}; !slices.Equal(fired, want) || status != wheel.Done || w.Now() != 99 {
			t.Fatalf("%s: fires %v at %d, want %v", id, fired, w.Now(), want)
		}
		if clock := w.(port.HandClock).HandTime(); clock != 39 {
			t.Errorf("%s: its own clock is at %d, want 39", id, clock)
		}
		if at := firesAt(w); at != 115 {
			t.Errorf("%s: the next fires at %d, want 115: two ticks on", id, at)
		}
		want := []wheel.Event{{Code: wheel.CodeLate, ID: 1, Due: 30, X: 99}, {Code: wheel.CodeLate, ID: 2, Due: 45, X: 115}}
		if got := findings(&log); !slices.Equal(got, want) {
			t.Errorf("%s: findings %+v, want %+v", id, got, want)
		}
		if err := w.Check(); err != nil {
			t.Error(err)
		}
	}
}

// With the fault corrected, missed ticks are processed one after another, and the hand is where
// it should be.
func TestMissedTicksAreMadeUp(t *testing.T) {
	for _, id := range []string{"lk668", "xiaoxu", "godis"} {
		p := catalog.Params{"slots": int64(16), "width": int64(10), "as": "corrected"}
		w, plain := build(t, id, p, 5).(port.TickCounter), build(t, id, p, 5)
		for k := range wheel.Tick(20) {
			s := wheel.Spec{Due: 5 + 7*k, Key: uint32(k + 1)}
			w.Schedule(s)
			plain.Schedule(s)
		}
		got, _ := w.Resume(99, nil)
		if want := jump(plain, 99); !slices.Equal(got, want) || w.Cost() != plain.Cost() || w.(port.HandClock).HandTime() != 99 {
			t.Errorf("%s: fires %v, want %v", id, got, want)
		}
	}
}

// Whatever the ticks, widths and creation times, and wherever the clock is, nothing overflows:
// every timer is placed, rejected with one of the errors, or fires.
func TestLibrariesAtTheEndsOfTime(t *testing.T) {
	ends := []wheel.Tick{-wheel.TickMax, -wheel.TickMax / 2, -1, 0, 1, 77, 1 << 40, wheel.TickMax / 2, wheel.TickMax - 1, wheel.TickMax}
	end := rapid.SampledFrom(ends)
	seeds := func(l lane) bool { return l.isSeed() }
	eachLane(t, seeds, func(t *rapid.T, l lane) {
		l.nanos = rapid.SampledFrom([]int64{0, 1, 400_000_000, 1 << 50}).Draw(t, "nanos")
		l.start = max(end.Draw(t, "start"), 0)
		p := catalog.Params{"width": rapid.SampledFrom([]int64{1, 3, wheel.WidthMax}).Draw(t, "width")}
		for name, v := range l.params {
			if _, given := p[name]; !given {
				p[name] = v
			}
		}
		l.params = p
		r := newRig(t, l, true)
		for key := range uint32(rapid.IntRange(1, 6).Draw(t, "timers")) {
			s := wheel.Spec{Due: end.Draw(t, "due"), Key: key + 1}
			setCreated(r.w, end.Draw(t, "created"))
			if rapid.Bool().Draw(t, "repeats") {
				s.Every, s.Times = max(end.Draw(t, "every"), 1), rapid.SampledFrom([]int32{1, 2, 40}).Draw(t, "times")
			}
			_, runs, err := r.w.Schedule(s)
			if err == nil && runs == 0 && r.w.Len() == 0 {
				t.Fatalf("%+v is gone", s)
			}
			r.check(t)
			if at, ok := r.w.Next(); ok && (at <= r.w.Now() || at < 0) {
				t.Fatalf("there is work at %d, it is %d", at, r.w.Now())
			}
			jump(r.w, min(end.Draw(t, "to"), r.w.Now()+70*l.width()))
			r.check(t)
		}
	})
}
