// Package coretest provides helpers for tests of timer algorithms. It does not import any
// algorithm, so that tests in the packages of the algorithms can use it.
package coretest

import (
	"errors"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Build returns a wheel of algorithm a with parameters p and its clock at tick start. Missing
// parameters take their defaults.
func Build(t testing.TB, a catalog.Algorithm, p catalog.Params, start wheel.Tick) wheel.Observable {
	t.Helper()
	filled, err := a.Fill(p)
	if err != nil {
		t.Fatal(err)
	}
	w, err := a.Build(filled, catalog.Env{Start: start})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Jump advances w to the given tick in one call and returns the runs that fired.
func Jump(w wheel.Observable, to wheel.Tick) []wheel.Expiry {
	fired, _ := w.Advance(to, nil, 0)
	return fired
}

// FiresAt advances w, which has one timer, until the timer fires. It returns the tick at which
// the timer fired, or -1 if it never fires.
func FiresAt(w wheel.Observable) wheel.Tick {
	for {
		at, ok := w.Next()
		if !ok {
			return -1
		}
		if len(Jump(w, at)) > 0 {
			return at
		}
	}
}

// FiringsOf advances w to the given tick, one tick at a time, and returns the ticks at which the
// timer with the given key fired.
func FiringsOf(w wheel.Observable, key uint32, to wheel.Tick) (at []wheel.Tick) {
	for w.Now() < to {
		for _, x := range Jump(w, w.Now()+1) {
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

// Refused reports whether scheduling s fails with the error want and adds no timer.
func Refused(w wheel.Observable, s wheel.Spec, want error) bool {
	live := w.Len()
	h, runs, err := w.Schedule(s)
	return errors.Is(err, want) && runs == 0 && h.IsZero() && w.Len() == live && w.Check() == nil
}

// Findings returns the finding events in log, with only the fields Code, ID, Due and X set.
func Findings(log *wheel.Log) (all []wheel.Event) {
	for _, e := range log.Events {
		if e.Kind == wheel.KindFinding {
			all = append(all, wheel.Event{Code: e.Code, ID: e.ID, Due: e.Due, X: e.X})
		}
	}
	return all
}

// PlaceOf returns the level and slot of the only timer of w.
func PlaceOf(t testing.TB, w wheel.Observable) (level int8, slot uint32) {
	t.Helper()
	var s wheel.State
	w.AppendState(&s, wheel.AllEntries)
	if len(s.Places) != 1 {
		t.Fatalf("%d places, want 1", len(s.Places))
	}
	return s.Places[0].Level, s.Places[0].Slot
}
