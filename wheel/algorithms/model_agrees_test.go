package algorithms

import (
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"pgregory.net/rapid"
)

// Every lane emits, for each operation, exactly the events of the model, and has the same state as
// the model after it.
func TestLaneEmitsTheEventsOfTheModel(t *testing.T) {
	modelled := func(l lane) bool { return !l.alone }
	eachLane(t, modelled, func(t *rapid.T, l lane) {
		r, m := newRig(t, l, true), newModel(l)
		for _, o := range ops(t) {
			m.events, m.fired, r.log.Events = nil, nil, nil
			cancelled := false
			switch o.kind {
			case opSchedule:
				m.age = o.age
				m.schedule(r.spec(o))
			case opCancel:
				if n := len(r.handles); n > 0 {
					cancelled = m.cancel(uint32(o.pick%n + 1))
				}
			case opAdvance:
				m.advance(r.w.Now() + o.by)
			}
			got := r.do(o, jump)
			r.check(t)
			if got.cancelled != cancelled {
				t.Fatalf("%+v: cancelled is %v, the model says %v", o, got.cancelled, cancelled)
			}
			if o.kind == opAdvance && !slices.Equal(got.fired, m.fired) {
				t.Fatalf("%+v fires\n%v, the model\n%v", o, got.fired, m.fired)
			}
			if o.kind == opSchedule && got.runs != len(m.fired) {
				t.Fatalf("%+v: %d runs at once, the model has %d", o, got.runs, len(m.fired))
			}
			compareEvents(t, r.log.Events, m.events)
			compareState(t, r, m)
		}
	})
}

func compareEvents(t *rapid.T, got, want []wheel.Event) {
	t.Helper()
	for k := range min(len(got), len(want)) {
		if e := withoutCost(got[k]); e != want[k] {
			t.Fatalf("event %d is %s\n%+v, the model has %s\n%+v", k, e.Kind, e, want[k].Kind, want[k])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d events, the model has %d", len(got), len(want))
	}
}

// withoutCost returns the event without the cost, which the model does not count, and without
// fields that its kind does not have.
func withoutCost(e wheel.Event) wheel.Event {
	e.Cost = 0
	return e
}

func compareState(t *rapid.T, r *rig, m *model) {
	t.Helper()
	got := r.state()
	if want := m.state(); !(&wheel.State{Places: got.Places}).Equal(&wheel.State{Places: want}) {
		t.Fatalf("places\n%+v, the model has\n%+v", got.Places, want)
	}
	if !slices.Equal(got.Queue, m.queue) {
		t.Fatalf("delay queue\n%v, the model has\n%v", got.Queue, m.queue)
	}
	if got.Live != len(m.live) || r.w.Len() != len(m.live) {
		t.Fatalf("live is %d and Len %d, the model has %d", got.Live, r.w.Len(), len(m.live))
	}
	if n := len(m.n); n > 0 && (m.lane.rule() == "hierarchical" || m.lane.rule() == "kafka") && len(got.Levels) != n {
		t.Fatalf("%d levels, the model has %d", len(got.Levels), n)
	}
	c := got.Counts
	if c.Scheduled-c.Rejected-c.Cancelled-c.Expired != int64(got.Live) {
		t.Fatalf("counts %+v do not leave %d live", c, got.Live)
	}
}
