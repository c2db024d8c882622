package algorithms

import (
	"errors"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// farDue returns a due tick far beyond any range, or less far for lanes that use a time.Duration.
func (l lane) farDue() wheel.Tick {
	if l.isSeed() && l.id != "riicarus" {
		return 4e9
	}
	return 4e18
}

// perTimer are the algorithms with an event for each timer of a visited slot, in addition to that of the
// slot.
var perTimer = map[string]bool{"tokio": true, "linux-classic": true}

// A slot whose timers are far from due is visited as often as Revisit returns, and with the events that
// its comment lists; if that is 0, only to cascade its timers to lower levels.
func TestRevisitIsWhatAWheelDoes(t *testing.T) {
	for _, l := range lanes() {
		for _, timers := range []int64{1, 3} {
			w := l.build(t)
			want, refused := l.revisit(t), error(nil)
			for k := range timers {
				_, _, refused = w.Schedule(wheel.Spec{Due: l.farDue(), Key: uint32(k + 1)})
			}
			if refused != nil {
				if want != 0 && !errors.Is(refused, wheel.ErrFault) {
					t.Errorf("%s has a visit every %d ticks and returns %v for far timers", l.name, want, refused)
				}
				continue
			}
			if want == 0 {
				expectUnvisited(t, l, w, timers)
			} else {
				expectVisits(t, l, w, want, timers)
			}
		}
	}
}

// revisit returns the ticks between two visits in the lane's algorithm.
func (l lane) revisit(t fataler) wheel.Tick {
	a, _ := Lookup(l.id)
	p, err := a.Fill(l.params)
	if err != nil {
		t.Fatalf("%s: %v", l.name, err)
	}
	return a.Revisit(p)
}

// expectVisits checks some visits by a wheel with far timers in one slot.
func expectVisits(t *testing.T, l lane, w wheel.Observable, every wheel.Tick, timers int64) {
	t.Helper()
	want := int64(1)
	if perTimer[l.id] {
		want += timers
	}
	var log wheel.Log
	w.Observe(&log)
	at, _ := w.Next()
	if l.id == "netty" { // the first tick transfers the timers
		w.Advance(at, nil, 0)
		at, _ = w.Next()
	}
	w.Advance(at, nil, 0)
	before, first := log.Emitted(), at
	for k := range wheel.Tick(5) {
		at, ok := w.Next()
		w.Advance(at, nil, 0)
		if !ok || at != first+(k+1)*every {
			t.Errorf("%s: visit %d at tick %d, after one at %d; want one every %d", l.name, k+2, at, first, every)
		}
		if each := log.Emitted() - before; each != want {
			t.Errorf("%s: %d events at tick %d, want %d", l.name, each, at, want)
		}
		before = log.Emitted()
	}
	w.Advance(first+105*every, nil, 0)
	if got := log.Emitted() - before; got != 100*want {
		t.Errorf("%s: %d events in 100 visits, want %d", l.name, got, 100*want)
	}
}

// unvisitedMax bounds the visits on the way from the top level down, and at a level.
const unvisitedMax = 200

// expectUnvisited checks a wheel up to the due tick of its timers.
func expectUnvisited(t *testing.T, l lane, w wheel.Observable, timers int64) {
	t.Helper()
	var log wheel.Log
	w.Observe(&log)
	visits, near := 0, l.farDue()-1e6
	for at, ok := w.Next(); ok && at < near && visits <= unvisitedMax; at, ok = w.Next() {
		w.Advance(at, nil, 0)
		visits++
	}
	if visits > unvisitedMax || log.Emitted() > unvisitedMax*timers {
		t.Errorf("%s: %d events in %d visits, %d ticks before the timers are due", l.name, log.Emitted(), visits, l.farDue()-w.Now())
	}
}
