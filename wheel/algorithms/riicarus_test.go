package algorithms

import (
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"pgregory.net/rapid"
)

// riicarusCase is one case of the sketch: the results of the rule, and those of the published
// arithmetic.
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

// Every case by the rule and as published: bucket, round, timestamp, and when it
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
	waits := x.emitted[2]
	if x.first.ToSlot != want.Slot || x.first.X != want.Rounds || waits.Kind != wheel.KindEnqueue || waits.Due != want.Timestamp {
		t.Fatalf("faults %v: placed %+v, then %+v, want %+v", faults, x.first, waits, want)
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

// By its rule the wheel fires within [due−u, due], and reaches both ends: a timer due one slot
// from now fires at once, one due at the beginning of a slot on time.
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
