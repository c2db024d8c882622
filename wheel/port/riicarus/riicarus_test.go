package riicarus

import (
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

// firing is an expiry and the tick at which it occurred.
type firing struct {
	at wheel.Tick
	wheel.Expiry
}

// The fault of the vectors: on 8 slots the delays 3 and 11 both fire at 3, and a finding
// reports the second as early. Corrected, it fires at 11.
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
		w := coretest.Build(t, Algorithm, c.p, 0)
		log := wheel.Log{Keep: true}
		w.Observe(&log)
		w.Schedule(wheel.Spec{Due: 3, Key: 1})
		w.Schedule(wheel.Spec{Due: 11, Key: 2})
		var got []firing
		for at := wheel.Tick(1); at <= 20; at++ {
			for _, x := range coretest.Jump(w, at) {
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

// Two endless repeats in one stale bucket keep each other due within one tick. The wheel
// reports this and halts: its timers can be cancelled, and no new timer is
// accepted.
func TestRiicarusStuck(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(1), "faults": []string{"stale"}}, 0)
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
	if _, ok := w.Next(); ok || !coretest.Refused(w, wheel.Spec{Due: 99, Key: 3}, wheel.ErrFault) || !w.Cancel(first) || w.Cancel(first) {
		t.Error("a stopped wheel advances, accepts a timer, or does not cancel one exactly once")
	}
}

// A bucket that must wait for an earlier round is entered again. When the older entry leaves
// the queue, its round is due or there is nothing to do.
func TestRiicarusEntersAgain(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"as": "corrected"}, 0)
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
	coretest.Jump(w, 30)
	if log.Count[wheel.KindDequeue] != 3 || log.Count[wheel.KindEnqueue] != 0 || log.Count[wheel.KindExpire] != 3 {
		t.Errorf("%d out, %d in, %d fired, want 3 0 3", log.Count[wheel.KindDequeue], log.Count[wheel.KindEnqueue], log.Count[wheel.KindExpire])
	}
}
