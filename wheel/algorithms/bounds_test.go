package algorithms

import (
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"pgregory.net/rapid"
)

// By the rule of xiaoxu and godis a timer fires within (due−u, due+u], and both ends are reached: a
// delay of whole slots that is scheduled at the beginning of a slot is late by u; a delay that ends
// just before the next slot and is scheduled just before a slot is early by u−1.
func TestProcIncIsOffByLessThanTwoSlots(t *testing.T) {
	keep := func(l lane) bool { return l.params["variant"] == "procinc" }
	eachLane(t, keep, func(t *rapid.T, l lane) {
		r, u := newRig(t, l, false), l.width()
		jump(r.w, l.start+rapid.Int64Range(0, 50).Draw(t, "now"))
		due := r.w.Now() + rapid.Int64Range(0, 300).Draw(t, "delay")
		r.do(op{delay: due - r.w.Now()}, nil)
		if off := firesAt(r.w) - due; off <= -u || off > u {
			t.Fatalf("due %d is off by %d, slots of %d", due, off, u)
		}
	})
	for now, want := range map[wheel.Tick]wheel.Tick{20: 10, 29: -8} {
		w := build(t, "rounds", catalog.Params{"slots": int64(8), "width": int64(10), "variant": "procinc"}, 0)
		jump(w, now)
		due := now + 30 + (now%10)/9*9 // whole slots, or nearly whole ones
		w.Schedule(wheel.Spec{Due: due, Key: 1})
		if off := firesAt(w) - due; off != want {
			t.Errorf("armed at %d, due %d: off by %d, want %d", now, due, off, want)
		}
	}
}

// A timer that does not cascade to level 0 is off by less than a slot of the level it fires
// from, in the direction of its rounding; with nearest, by at most half a
// slot.
func TestLessMigrationIsOffByLessThanASlot(t *testing.T) {
	keep := func(l lane) bool { return !l.isExact() && l.id == "hierarchical" }
	eachLane(t, keep, func(t *rapid.T, l lane) {
		r := newRig(t, l, true)
		jump(r.w, l.start+rapid.Int64Range(0, 50).Draw(t, "now"))
		r.do(op{delay: rapid.Int64Range(1, 60).Draw(t, "delay")}, nil)
		at := firesAt(r.w)
		if at < 0 {
			return // beyond the range
		}
		e := r.log.Events[len(r.log.Events)-1]
		u := l.width()
		due := ceil(e.Due, u) * u
		slot := r.w.Layout().Levels[e.FromLevel].Width
		if l.params["migration"] == "one" && len(r.log.Events) > 2 && e.FromLevel > 0 && !cascaded(r.log.Events) {
			slot = r.w.Layout().Levels[e.FromLevel-1].Width // it would have cascaded, and was due there
		}
		early, late := slot-1, slot-1 // the maximum error
		switch l.params["round"] {
		case "ceil":
			early = 0
		case "floor":
			late = 0
		case "nearest":
			early, late = (slot-1)/2, slot/2
		}
		if at < due-early || at > due+late {
			t.Fatalf("due %d fires at %d from level %d: slots of %d", due, at, e.FromLevel, slot)
		}
	})
}

// The random tests (oracle, bounds, fold, ways of driving, clones, model) use lanes(), which
// must include every algorithm of the catalogue.
func TestEveryAlgorithmIsARandomLane(t *testing.T) {
	driven := map[string]bool{}
	for _, l := range lanes() {
		driven[l.id] = true
	}
	for _, a := range Catalogue() {
		if !driven[a.ID] {
			t.Errorf("%s is in no random test", a.ID)
		}
	}
}

func cascaded(events []wheel.Event) bool {
	return slices.ContainsFunc(events, func(e wheel.Event) bool { return e.Kind == wheel.KindCascade })
}
