package compare

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/port"
)

// recordedOf opens a trace as a Recorded, even if its scenario reproduces it.
func recordedOf(t *testing.T, p *program.Program, trace []byte) *Recorded {
	t.Helper()
	r, err := NewRecorded(t.Context(), &Side{Program: p, Trace: &TraceSide{data: trace}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The events of a trace give the same records, steps, states and lane clocks as the engine
// that wrote them, for lanes whose clock follows from the events.
func TestRecordedIsTheRun(t *testing.T) {
	for name, p := range plantest.Golden(t) {
		e, r := plantest.Engine(t, p), recordedOf(t, p, writtenTrace(t, p, tracefile.Options{}))
		for tick, ok := e.Next(); ok; tick, ok = e.Next() {
			want, got := e.Tick(tick, nil), r.Tick(tick, nil)
			if r.Err() != nil || len(want) != len(got) {
				t.Fatalf("%s, tick %d: %d records, want %d, %v", name, tick, len(got), len(want), r.Err())
			}
			a, b := tracefile.NewLineEncoder(p), tracefile.NewLineEncoder(p)
			for k := range want {
				if was, is := string(a.Append(nil, &want[k])), string(b.Append(nil, &got[k])); was != is {
					t.Fatalf("%s, tick %d: %s, want %s", name, tick, is, was)
				}
			}
			if len(want) > 0 && !slices.Equal(r.StepEnds(), e.Marks) {
				t.Fatalf("%s, tick %d: steps end at %v, want %v", name, tick, r.StepEnds(), e.Marks)
			}
			if r.Snapshot(0).Seq != e.Emitted() {
				t.Fatalf("%s, tick %d: seq is %d, want %d", name, tick, r.Snapshot(0).Seq, e.Emitted())
			}
			before, after := e.Snapshot(wheel.AllEntries), r.Snapshot(wheel.AllEntries)
			for i := range before.Lanes {
				l, m := &before.Lanes[i], &after.Lanes[i]
				_, own := e.Lanes[i].Wheel.(port.HandClock)
				if !l.State.Equal(&m.State) || !own && l.Cost.Clock != m.Cost.Clock || r.Waiting(i) != l.Live {
					t.Fatalf("%s, tick %d, lane %d: clock %d, want %d;\n%+v\nwant\n%+v", name, tick, i, m.Cost.Clock, l.Cost.Clock, m.State, l.State)
				}
			}
		}
	}
}

// An event that does not fit those before it is an error with its line.
func TestRecordedRefusesWhatDoesNotFit(t *testing.T) {
	p := plantest.Load(t, ops(exactLane, twoTimers))
	trace := writtenTrace(t, p, tracefile.Options{})
	for from, c := range map[string]struct{ to, want string }{
		`"kind":"expire","id":1,`: {`"kind":"expire","id":2,`, "does not fit those before it"},
		`"tick":5,`:               {`"tick":5000,`, "the scenario ends at"},
	} {
		other := bytes.ReplaceAll(trace, []byte(from), []byte(c.to))
		if bytes.Equal(other, trace) {
			t.Fatalf("no %s in\n%s", from, trace)
		}
		r := recordedOf(t, p, other)
		for tick, ok := r.Next(); ok && r.Err() == nil; tick, ok = r.Next() {
			r.Tick(tick, nil)
		}
		if r.Err() == nil || !strings.Contains(r.Err().Error(), c.want) || !strings.HasPrefix(r.Err().Error(), "line ") {
			t.Errorf("%s: %v, want %q", c.to, r.Err(), c.want)
		}
	}
}
