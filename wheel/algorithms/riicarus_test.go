package algorithms

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"pgregory.net/rapid"
)

// riicarusCase is one case of the sketch: what the rule gives, and what the
// printed arithmetic does.
type riicarusCase struct {
	Tick, Start, Now, Delay wheel.Tick
	WheelSize               int64 `json:"wheel_size"`
	Expect                  struct {
		Immediate bool
		riicarusEnd
		AsPrinted *riicarusEnd `json:"as_printed"`
	}
}

type riicarusEnd struct {
	Slot      uint32
	Rounds    int64
	Timestamp wheel.Tick `json:"bucket_timestamp"`
	FiresAt   wheel.Tick `json:"fires_at"`
}

// Every case by the rule and as printed: bucket, round, timestamp, and when it
// fires.
func TestRiicarusVectors(t *testing.T) {
	var file struct{ Cases []riicarusCase }
	readVectors(t, "riicarus_seed001", &file)
	printed := 0
	for k, c := range file.Cases {
		t.Run(fmt.Sprintf("%d now=%d delay=%d", k, c.Now, c.Delay), func(t *testing.T) {
			c.check(t, c.Expect.riicarusEnd, []string{})
			if c.Expect.AsPrinted != nil {
				printed++
				c.check(t, *c.Expect.AsPrinted, []string{"delay-from-now"})
			}
		})
	}
	if len(file.Cases) < 267 || printed < 169 {
		t.Fatalf("%d cases, %d as printed", len(file.Cases), printed)
	}
}

func (c *riicarusCase) check(t *testing.T, want riicarusEnd, faults []string) {
	t.Helper()
	v := vector{Start: c.Start, Now: c.Now, Delay: c.Delay}
	x := v.live(t, "riicarus", catalog.Params{"slots": c.WheelSize, "width": c.Tick, "faults": faults})
	if (x.runs == 1) != c.Expect.Immediate || x.fires != want.FiresAt {
		t.Fatalf("faults %v: %d runs at once, fires at %d, want %d", faults, x.runs, x.fires, want.FiresAt)
	}
	if c.Expect.Immediate {
		return
	}
	waits := x.told[2]
	if x.first.ToSlot != want.Slot || x.first.X != want.Rounds || waits.Kind != wheel.KindEnqueue || waits.Due != want.Timestamp {
		t.Fatalf("faults %v: placed %+v, then %+v, want %+v", faults, x.first, waits, want)
	}
}

// The fault of the vectors: on 8 slots the delays 3 and 11 both fire at 3, and the
// second is found to be early; corrected, it fires at 11.
func TestRiicarusLaterRoundFiresAtOnce(t *testing.T) {
	for _, c := range []struct {
		p     catalog.Params
		fires []firing
		found int64
	}{
		{catalog.Params{"faults": []string{"stale"}}, []firing{{3, wheel.Expiry{Due: 3, Key: 1, Run: 1}}, {3, wheel.Expiry{Due: 11, Key: 2, Run: 1}}}, 1},
		{catalog.Params{"as": "published"}, []firing{{3, wheel.Expiry{Due: 3, Key: 1, Run: 1}}, {3, wheel.Expiry{Due: 11, Key: 2, Run: 1}}}, 1},
		{catalog.Params{"as": "corrected"}, []firing{{3, wheel.Expiry{Due: 3, Key: 1, Run: 1}}, {11, wheel.Expiry{Due: 11, Key: 2, Run: 1}}}, 0},
		{catalog.Params{"faults": []string{"delay-from-now"}}, []firing{{3, wheel.Expiry{Due: 3, Key: 1, Run: 1}}, {11, wheel.Expiry{Due: 11, Key: 2, Run: 1}}}, 0},
	} {
		w := build(t, "riicarus", c.p, 0)
		log := wheel.Log{Keep: true}
		w.Observe(&log)
		w.Schedule(wheel.Spec{Due: 3, Key: 1})
		w.Schedule(wheel.Spec{Due: 11, Key: 2})
		var got []firing
		for at := wheel.Tick(1); at <= 20; at++ {
			for _, x := range jump(w, at) {
				got = append(got, firing{at, x})
			}
		}
		if !slices.Equal(got, c.fires) || log.Count[wheel.KindFinding] != c.found {
			t.Errorf("%v: fires %v with %d findings, want %v with %d", c.p, got, log.Count[wheel.KindFinding], c.fires, c.found)
		}
		for _, e := range log.Events {
			if e.Kind == wheel.KindFinding && (e.Code != wheel.CodeEarly || e.ID != 2 || e.Due != 11 || e.X != 3) {
				t.Errorf("%v: finding %+v, want timer 2 early: 11, not 3", c.p, e)
			}
		}
	}
}

// Whole runs, with and without the stale timestamp.
func TestRiicarusRuns(t *testing.T) {
	stale := 0
	eachRun(t, "riicarus_traces", func(t *testing.T, r *run) {
		faults := []string{}
		if r.Params.Stale {
			stale++
			faults = append(faults, "stale")
		}
		p := catalog.Params{"slots": r.Params.WheelSize, "width": r.Params.Tick, "faults": faults}
		r.replay(t, lane{id: "riicarus", params: p, start: r.Params.Start}.build(t))
	})
	if stale == 0 {
		t.Error("no run is stale")
	}
}

// By its rule the wheel fires within [due−u, due], and reaches both ends: what is
// due one slot from now at once, the beginning of a slot on time.
func TestRiicarusIsEarlyByUpToASlot(t *testing.T) {
	corrected := func(l lane) bool { return l.id == "riicarus" && l.params["as"] == "corrected" }
	eachLane(t, corrected, func(t *rapid.T, l lane) {
		r, u := newRig(t, l, false), l.width()
		jump(r.w, l.start+rapid.Int64Range(0, 50).Draw(t, "now"))
		due := r.w.Now() + rapid.Int64Range(1, 300).Draw(t, "delay")
		if r.do(op{delay: due - r.w.Now()}, nil).runs == 1 {
			if due > r.w.Now()+u {
				t.Fatalf("due %d fires at %d, slots of %d", due, r.w.Now(), u)
			}
			return
		}
		if at := firesAt(r.w); at > due || at < due-u {
			t.Fatalf("due %d fires at %d, slots of %d", due, at, u)
		}
	})
	for due, early := range map[wheel.Tick]wheel.Tick{40: 0, 49: 9, 10: 10} {
		w := build(t, "riicarus", catalog.Params{"width": int64(10), "as": "corrected"}, 0)
		at := wheel.Tick(0)
		if _, runs, _ := w.Schedule(wheel.Spec{Due: due, Key: 1}); runs == 0 {
			at = firesAt(w)
		}
		if due-at != early {
			t.Errorf("due %d fires at %d, want %d early", due, at, early)
		}
	}
}

// Two endless repeats in one stale bucket keep each other due within one tick: the
// wheel says so and stands still; what is there can be cancelled, what comes is
// refused.
func TestRiicarusStuck(t *testing.T) {
	w := build(t, "riicarus", catalog.Params{"slots": int64(1), "faults": []string{"stale"}}, 0)
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	first, _, _ := w.Schedule(wheel.Spec{Due: 5, Key: 1, Every: 5, Times: -1})
	w.Schedule(wheel.Spec{Due: 6, Key: 2, Every: 5, Times: -1})
	fired, status := w.Advance(5, nil, 0)
	if status != wheel.Stuck || len(fired) < 1000 || len(fired) > 1010 {
		t.Fatalf("%d fire, status %d, want about a thousand and stuck", len(fired), status)
	}
	last := log.Events[len(log.Events)-1]
	if last.Kind != wheel.KindFinding || last.Code != wheel.CodeStuck || w.Check() != nil {
		t.Errorf("last of all %+v, want stuck; %v", last, w.Check())
	}
	if _, ok := w.Next(); ok || !refused(w, wheel.Spec{Due: 99, Key: 3}, wheel.ErrFault) || !w.Cancel(first) || w.Cancel(first) {
		t.Error("a wheel that stands still goes on, takes a timer, or can't cancel one once")
	}
}

// A bucket that must wait for an earlier round is entered again; the entry it left
// behind comes out when that round is due, or finds nothing to do.
func TestRiicarusEntersAgain(t *testing.T) {
	w := build(t, "riicarus", catalog.Params{"as": "corrected"}, 0)
	for k, due := range []wheel.Tick{19, 11, 3} {
		w.Schedule(wheel.Spec{Due: due, Key: uint32(k + 1)})
	}
	var s wheel.State
	w.AppendState(&s, wheel.AllEntries)
	if want := []wheel.Bucket{{Level: 0, Slot: 3, Due: 3}, {Level: 0, Slot: 3, Due: 11}, {Level: 0, Slot: 3, Due: 19}}; !slices.Equal(s.Queue, want) {
		t.Fatalf("delay queue %v, want %v", s.Queue, want)
	}
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	jump(w, 30)
	if log.Count[wheel.KindDequeue] != 3 || log.Count[wheel.KindEnqueue] != 0 || log.Count[wheel.KindExpire] != 3 {
		t.Errorf("%d out, %d in, %d fired, want 3 0 3", log.Count[wheel.KindDequeue], log.Count[wheel.KindEnqueue], log.Count[wheel.KindExpire])
	}
}
