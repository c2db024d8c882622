package algorithms

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/port"
)

// run is a whole run of a reference: 200 timers with cancels.
type run struct {
	Workload string
	Params   struct {
		Start     wheel.Tick
		Tick      int64
		TickS     int64 `json:"tick_s"`
		TickMS    int64 `json:"tick_ms"`
		WheelSize int64 `json:"wheel_size"`
		Variant   string
		Stale     bool `json:"stale_timestamp_fault"`
	}
	Ops []struct {
		T         wheel.Tick
		Op        string
		ID        uint32
		Delay     wheel.Tick
		Status    string
		Slot      *uint32
		Rounds    *int64
		Effective bool
	}
	Events []struct {
		T        wheel.Tick
		ID       uint32
		Deadline wheel.Tick
	}
	unordered bool // the reference has another order within a tick
}

// replay runs the workload and compares which timers fire when, in order; every cancel succeeds
// if that of the reference did. The references count timers from 0, keys begin at 1.
func (r *run) replay(t *testing.T, w wheel.Observable) {
	t.Helper()
	handles := map[uint32]wheel.Timer{}
	var got, want []firing
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	advance := func(to wheel.Tick) {
		for at, ok := w.Next(); ok && at <= to; at, ok = w.Next() {
			for _, x := range jump(w, at) {
				got = append(got, firing{at, x})
			}
		}
		jump(w, to)
	}
	// Times of a run are relative to its start.
	for _, o := range r.Ops {
		o.T += r.Params.Start
		advance(o.T)
		if o.Op == "cancel" {
			if w.Cancel(handles[o.ID]) != o.Effective {
				t.Fatalf("cancel of %d at %d: want %v", o.ID, o.T, o.Effective)
			}
			continue
		}
		h, runs, err := w.Schedule(wheel.Spec{Due: o.T + o.Delay, Key: o.ID + 1})
		handles[o.ID] = h
		if (err != nil) != (o.Status == "reject") {
			t.Fatalf("schedule of %d at %d: %v, want %s", o.ID, o.T, err, o.Status)
		}
		if runs > 0 {
			got = append(got, firing{o.T, wheel.Expiry{Due: o.T + o.Delay, Key: o.ID + 1, Run: 1}})
		}
		if _, wakes := w.(port.SelfWaking); wakes {
			advance(o.T)
		}
		if e := log.Events[len(log.Events)-1]; e.Kind == wheel.KindPlace && o.Slot != nil {
			if e.ToSlot != *o.Slot || o.Rounds != nil && e.X != *o.Rounds {
				t.Fatalf("timer %d placed in slot %d rounds %d, want %d", o.ID, e.ToSlot, e.X, *o.Slot)
			}
		}
	}
	advance(1 << 20)
	for _, e := range r.Events {
		want = append(want, firing{e.T + r.Params.Start, wheel.Expiry{Due: e.Deadline + r.Params.Start, Key: e.ID + 1, Run: 1}})
	}
	if r.unordered {
		slices.SortFunc(got, byTickThenKey)
		slices.SortFunc(want, byTickThenKey)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("fired\n%v, want\n%v", got, want)
	}
}

func eachRun(t *testing.T, name string, test func(*testing.T, *run)) {
	t.Helper()
	var file struct{ Traces []run }
	readVectors(t, name, &file)
	if len(file.Traces) == 0 {
		t.Fatalf("%s has no traces", name)
	}
	for k := range file.Traces {
		r := &file.Traces[k]
		t.Run(fmt.Sprintf("%s tick=%d", r.Workload, r.Params.Tick), func(t *testing.T) { test(t, r) })
	}
}

func TestOracleRuns(t *testing.T) {
	exact := []lane{
		{id: "sorted"}, {id: "heap"}, {id: "heap", params: catalog.Params{"arity": int64(4)}},
		{id: "hierarchical", params: catalog.Params{"slots": int64(64), "levels": int64(4), "placement": "digits"}},
		{id: "rounds"}, {id: "list"}, {id: "hashed-sorted"}, {id: "tokio"}, {id: "calendar"}, {id: "calendar", params: catalog.Params{"slots": int64(64), "resize": "off"}}, {id: "simple", params: catalog.Params{"slots": int64(4096), "overflow": "list"}},
	}
	for _, l := range exact {
		t.Run(laneName(l.id, l.params), func(t *testing.T) {
			eachRun(t, "oracle_traces", func(t *testing.T, r *run) { r.replay(t, l.build(t)) })
		})
	}
}

func TestSimpleRuns(t *testing.T) {
	eachRun(t, "simple_traces", func(t *testing.T, r *run) {
		r.replay(t, lane{id: "simple", params: catalog.Params{"slots": r.Params.WheelSize, "width": r.Params.Tick}}.build(t))
	})
}

func TestRoundsRuns(t *testing.T) {
	eachRun(t, "rounds_traces", func(t *testing.T, r *run) {
		r.replay(t, lane{id: "rounds", params: catalog.Params{"slots": r.Params.WheelSize, "width": r.Params.Tick, "variant": r.Params.Variant}}.build(t))
	})
}
