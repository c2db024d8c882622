package nats

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
)

func readVectors(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestCases has one timer alone in the wheel: its slot, and the tick at which it fires.
func TestCases(t *testing.T) {
	var file struct {
		Cases []struct {
			Tag                      string
			Width, Start, Now, Delay int64
			Slots                    int
			Expect                   struct {
				Slot    uint32
				Lowest  int64
				FiresAt int64 `json:"fires_at"`
			}
		}
	}
	readVectors(t, "nats.json", &file)
	if len(file.Cases) < 380 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for k, c := range file.Cases {
		made, err := New(Config{Slots: c.Slots, Width: c.Width, Start: c.Start})
		if err != nil {
			t.Fatal(err)
		}
		w := made.(*wheelOfNATS)
		coretest.Jump(w, c.Now)
		if _, runs, err := w.Schedule(wheel.Spec{Due: c.Now + c.Delay, Key: 1}); err != nil || runs != 0 {
			t.Errorf("%d %s: %d runs, %v", k, c.Tag, runs, err)
			continue
		}
		_, slot := coretest.PlaceOf(t, w)
		if slot != c.Expect.Slot || w.low != c.Expect.Lowest {
			t.Errorf("%d %s: slot %d, bound %d, want %+v", k, c.Tag, slot, w.low, c.Expect)
		}
		if at := coretest.FiresAt(w); at != c.Expect.FiresAt {
			t.Errorf("%d %s: fires at %d, want %d", k, c.Tag, at, c.Expect.FiresAt)
		}
	}
}

type trace struct {
	Workload string
	Params   struct {
		Width, Start, Pause, Until int64
		Slots                      int
		Drive, Callback            string
	}
	Ops []struct {
		T, Delay  int64
		Op        string
		ID        uint32
		Slot      *uint32
		Effective *bool
		Fired     [][2]uint32
		Count     int
		Lowest    *int64
		Wake      *int64
		Cost      [3]int64
	}
	Totals map[string]int64
}

// TestTraces runs the long histories, of which the bounds, the number of timers and the cost are known after every
// operation, and the cost in all.
func TestTraces(t *testing.T) {
	var file struct{ Traces []trace }
	readVectors(t, "nats_traces.json", &file)
	if len(file.Traces) != 8 {
		t.Fatalf("%d traces", len(file.Traces))
	}
	for k := range file.Traces {
		t.Run(file.Traces[k].Workload, func(t *testing.T) { file.Traces[k].replay(t) })
	}
}

func (c *trace) replay(t *testing.T) {
	p := &c.Params
	made, err := New(Config{Slots: p.Slots, Width: p.Width, Start: p.Start, Store: p.Drive == "store", Collect: p.Callback == "collect", Pause: p.Pause})
	if err != nil {
		t.Fatal(err)
	}
	w := made.(*wheelOfNATS)
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	fold := wheel.NewFold(&wheel.State{Levels: w.Layout().Levels})
	handles, reset := map[uint32]wheel.Timer{}, map[uint32]uint32{} // by id of the trace
	key, ids := uint32(0), map[uint32]uint32{}
	keyOf := func(id uint32) uint32 { // a reset keeps the order of the ids, which collect uses
		reset[id]++
		key = id<<8 + reset[id]
		ids[key] = id
		return key
	}
	for _, o := range c.Ops {
		at := o.T + p.Start
		var fired [][2]uint32
		effective := false
		if o.Op != "advance" || p.Drive != "irregular" {
			until := at
			if o.Op == "advance" {
				until--
			}
			if p.Drive != "irregular" && until >= p.Start {
				if x := coretest.Jump(w, until); len(x) > 0 {
					t.Fatalf("fires %v before %d", x, at)
				}
			}
		}
		before := w.Cost()
		w.SetCallTime(at)
		switch o.Op {
		case "add":
			handles[o.ID], _, _ = w.Schedule(wheel.Spec{Due: at + o.Delay, Key: keyOf(o.ID)})
		case "reset":
			effective = w.Cancel(handles[o.ID])
			handles[o.ID], _, _ = w.Schedule(wheel.Spec{Due: at + o.Delay, Key: keyOf(o.ID)})
		case "cancel":
			effective = w.Cancel(handles[o.ID])
		case "advance":
			mark := len(log.Events)
			if p.Drive == "irregular" {
				w.Resume(at, nil)
			} else {
				coretest.Jump(w, at)
			}
			for _, e := range log.Events[mark:] {
				if e.Kind == wheel.KindExpire {
					fired = append(fired, [2]uint32{ids[e.ID], e.FromSlot})
				}
			}
		}
		if err := w.Check(); err != nil {
			t.Fatal(err)
		}
		for k := range log.Events {
			if err := fold.Apply(at, &log.Events[k]); err != nil {
				t.Fatal(err)
			}
		}
		log.Events = log.Events[:0]
		if p.Callback == "take" {
			slices.SortFunc(fired, bySlotThenID)
			slices.SortFunc(o.Fired, bySlotThenID)
		}
		got := w.Cost()
		cost := [3]int64{got.Slots - before.Slots, got.Touched - before.Touched, got.Compared - before.Compared}
		what := fmt.Sprintf("%s of %d at %d", o.Op, o.ID, o.T)
		if o.Effective != nil && *o.Effective != effective || !slices.Equal(fired, o.Fired) || w.Len() != o.Count || cost != o.Cost {
			t.Fatalf("%s: %v, fired %v, %d timers, cost %v; want %+v", what, effective, fired, w.Len(), cost, o)
		}
		if !equal(w.low, o.Lowest, p.Start) || p.Drive == "store" && !equal(w.wake, o.Wake, p.Start) {
			t.Fatalf("%s: bound %d, wake %d; want %+v", what, w.low-p.Start, w.wake-p.Start, o)
		}
	}
	if p.Drive != "irregular" {
		coretest.Jump(w, p.Start+p.Until)
	}
	if got := w.Cost(); got != (wheel.Cost{Slots: c.Totals["slots"], Touched: c.Totals["touched"], Compared: c.Totals["compared"]}) || w.Len() != int(c.Totals["pending"]) {
		t.Errorf("cost %+v, %d pending; want %v", got, w.Len(), c.Totals)
	}
}

func bySlotThenID(a, b [2]uint32) int {
	if a[1] != b[1] {
		return int(a[1]) - int(b[1])
	}
	return int(a[0]) - int(b[0])
}

func equal(got wheel.Tick, want *int64, start wheel.Tick) bool {
	if want == nil {
		return got == none
	}
	return got == *want || got == *want+start
}

// TestRepeatIsNotForgotten has a repeating timer whose next run belongs into its own slot, or into one that the pass has
// walked already.
func TestRepeatIsNotForgotten(t *testing.T) {
	for _, every := range []wheel.Tick{1, 7, 8, 9, 64} {
		for _, callback := range []string{"take", "collect"} {
			w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(8), "callback": callback}, 0)
			w.Schedule(wheel.Spec{Due: 5, Key: 1, Every: every, Times: 4})
			want := []wheel.Tick{5, 5 + every, 5 + 2*every, 5 + 3*every}
			if got := coretest.FiringsOf(w, 1, 300); !slices.Equal(got, want) {
				t.Errorf("every %d, %s: fires at %v, want %v", every, callback, got, want)
			}
		}
	}
}

// TestSlotsMustBeAPowerOfTwo rejects other sizes, instead of rounding them.
func TestSlotsMustBeAPowerOfTwo(t *testing.T) {
	_, err := New(Config{Slots: 12, Width: 1})
	if pe := (*wheel.ParamError)(nil); !errors.As(err, &pe) || pe.Name != "slots" {
		t.Errorf("%v", err)
	}
}
