package agrona

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
	"pgregory.net/rapid"
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

func newWheel(t interface{ Fatalf(string, ...any) }, c Config) *agrona {
	w, err := New(c)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return w.(*agrona)
}

// TestCases has one timer alone in the wheel: its spoke, its cell, and the tick at which it fires.
func TestCases(t *testing.T) {
	var file struct {
		Cases []struct {
			Tag, Polls               string
			Width, Start, Now, Delay int64
			PolledTo                 int64 `json:"polled_to"`
			Slots                    int
			Expect                   struct {
				Slot, Cell uint32
				TickAtAdd  int64 `json:"tick_at_add"`
				FiresAt    int64 `json:"fires_at"`
			}
		}
	}
	readVectors(t, "agrona.json", &file)
	if len(file.Cases) < 340 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for k, c := range file.Cases {
		w := newWheel(t, Config{Slots: c.Slots, Width: c.Width, Start: c.Start, Allocation: 16, Polls: Polls(c.Polls)})
		coretest.Jump(w, c.PolledTo)
		w.clock, w.Reached = c.Now, c.Now // no poll in between
		if _, runs, err := w.Schedule(wheel.Spec{Due: c.Now + c.Delay, Key: 1}); err != nil || runs != 0 {
			t.Errorf("%d %s: %d runs, %v", k, c.Tag, runs, err)
			continue
		}
		_, slot := coretest.PlaceOf(t, w)
		if cell := w.Arena.At(1).Pos; slot != c.Expect.Slot || cell != c.Expect.Cell || w.tick != c.Expect.TickAtAdd {
			t.Errorf("%d %s: spoke %d, cell %d at tick %d, want %+v", k, c.Tag, slot, cell, w.tick, c.Expect)
		}
		if at := coretest.FiresAt(w); at != c.Expect.FiresAt {
			t.Errorf("%d %s: fires at %d, want %d", k, c.Tag, at, c.Expect.FiresAt)
		}
	}
}

type trace struct {
	Workload string
	Params   struct {
		Width, Start, Until      int64
		Slots, Allocation, Limit int
		Drive, Polls             string
	}
	Ops []struct {
		T, Delay   int64
		Op         string
		ID         uint32
		Slot, Cell *uint32
		Effective  *bool
		Fired      [][3]uint32
		Count      int
		Tick       int64
		PollIndex  int64 `json:"poll_index"`
		Cost       [4]int64
	}
	Totals map[string]int64
}

// TestTraces runs the long histories, of which the position of the wheel, the number of timers and the cost are known
// after every operation, and the cost in all.
func TestTraces(t *testing.T) {
	var file struct{ Traces []trace }
	readVectors(t, "agrona_traces.json", &file)
	if len(file.Traces) != 8 {
		t.Fatalf("%d traces", len(file.Traces))
	}
	for k := range file.Traces {
		t.Run(file.Traces[k].Workload, func(t *testing.T) { file.Traces[k].replay(t) })
	}
}

func (c *trace) replay(t *testing.T) {
	p := &c.Params
	w := newWheel(t, Config{p.Slots, p.Width, p.Start, p.Allocation, p.Limit, Polls(p.Polls)})
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	fold := wheel.NewFold(&wheel.State{Levels: w.Layout().Levels})
	handles, ids, cells := map[uint32]wheel.Timer{}, map[uint32]uint32{}, map[uint32]uint32{}
	key := uint32(0)
	schedule := func(id uint32, due wheel.Tick) {
		key++
		ids[key] = id
		h, _, err := w.Schedule(wheel.Spec{Due: due, Key: key})
		if err != nil {
			t.Fatal(err)
		}
		handles[id], cells[key] = h, w.Arena.At(h.Index()).Pos
	}
	for _, o := range c.Ops {
		at := o.T + p.Start
		if until := at - int64(len(o.Op)/len("advance")); p.Drive != "irregular" && until >= p.Start {
			if x := coretest.Jump(w, until); len(x) > 0 {
				t.Fatalf("fires %v before %d", x, at)
			}
		}
		before := w.Cost()
		var fired [][3]uint32
		effective := false
		switch o.Op {
		case "add":
			schedule(o.ID, at+o.Delay)
		case "reset":
			effective = w.Cancel(handles[o.ID])
			schedule(o.ID, at+o.Delay)
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
					fired = append(fired, [3]uint32{ids[e.ID], e.FromSlot, cells[e.ID]})
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
		folded, state := fold.State(wheel.AllEntries), wheel.State{}
		w.AppendState(&state, wheel.AllEntries)
		folded.Counts = state.Counts
		if !folded.Equal(&state) {
			t.Fatalf("folded\n%+v, the wheel is\n%+v", folded, state)
		}
		got := w.Cost()
		cost := [4]int64{got.Slots - before.Slots, got.Touched - before.Touched, got.Compared - before.Compared, got.Moved - before.Moved}
		what := fmt.Sprintf("%s of %d at %d", o.Op, o.ID, o.T)
		if o.Effective != nil && *o.Effective != effective || !slices.Equal(fired, o.Fired) || w.Len() != o.Count || cost != o.Cost {
			t.Fatalf("%s: %v, fired %v, %d timers, cost %v; want %+v", what, effective, fired, w.Len(), cost, o)
		}
		if w.tick != o.Tick || w.index != o.PollIndex {
			t.Fatalf("%s: tick %d, cell %d; want %+v", what, w.tick, w.index, o)
		}
	}
	if p.Drive != "irregular" {
		coretest.Jump(w, p.Start+p.Until)
	}
	want := wheel.Cost{Slots: c.Totals["slots"], Touched: c.Totals["touched"], Compared: c.Totals["compared"], Moved: c.Totals["moved"]}
	if got := w.Cost(); got != want || w.Len() != int(c.Totals["pending"]) || w.tick != c.Totals["tick"] || w.cells != c.Totals["allocation"] {
		t.Errorf("cost %+v, %d pending, tick %d, %d cells; want %v", got, w.Len(), w.tick, w.cells, c.Totals)
	}
}

// TestJumpsAreWalks compares a wheel that jumps to its next work with one that walks every tick, and with one that makes
// each poll one by one, under random operations and stalls.
func TestJumpsAreWalks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Config{Slots: 1 << rapid.IntRange(0, 3).Draw(t, "slots"), Width: 1 << rapid.IntRange(0, 3).Draw(t, "width"),
			Start: rapid.SampledFrom([]wheel.Tick{0, 7, 1 << 50}).Draw(t, "start"), Allocation: 1 << rapid.IntRange(0, 2).Draw(t, "cells"),
			Limit: rapid.IntRange(0, 3).Draw(t, "limit"), Polls: rapid.SampledFrom([]Polls{PollsOne, PollsAeron, PollsDrain}).Draw(t, "polls")}
		jumps, walks, polls := newWheel(t, c), newWheel(t, c), newWheel(t, c)
		polls.pollAt(c.Start, nil)
		coretest.Jump(jumps, c.Start)
		coretest.Jump(walks, c.Start)
		now, key := c.Start, uint32(0)
		for range rapid.IntRange(1, 30).Draw(t, "operations") {
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0, 1:
				key++
				s := wheel.Spec{Due: now + rapid.Int64Range(-3, 90).Draw(t, "delay"), Key: key, Every: rapid.SampledFrom([]int64{0, 0, 5}).Draw(t, "every"), Times: 3}
				for _, w := range []*agrona{jumps, walks, polls} {
					w.Schedule(s)
				}
			case 2:
				now += rapid.Int64Range(1, 120).Draw(t, "stall")
				a, _ := jumps.Resume(now, nil)
				b, _ := walks.Resume(now, nil)
				same(t, polls.pollAt(now, nil), a, b)
			case 3:
				by := rapid.Int64Range(0, 60).Draw(t, "by")
				a, _ := jumps.Advance(now+by, nil, 0)
				var b, p []wheel.Expiry
				for range by {
					now++
					b, _ = walks.Advance(now, b, 0)
					p = polls.pollAt(now, p)
				}
				same(t, p, a, b)
			}
			for _, w := range []*agrona{jumps, walks} {
				if w.Cost() != polls.Cost() || w.tick != polls.tick || w.index != polls.index || w.Check() != nil {
					t.Fatalf("at %d: %+v, tick %d, cell %d; by single polls %+v, tick %d, cell %d", now, w.Cost(), w.tick, w.index, polls.Cost(), polls.tick, polls.index)
				}
			}
		}
	})
}

func same(t *rapid.T, want []wheel.Expiry, got ...[]wheel.Expiry) {
	for _, fired := range got {
		if !slices.Equal(fired, want) {
			t.Fatalf("fired %v, by single polls %v", fired, want)
		}
	}
}

// pollAt makes the polls of tick t one by one, as the specification of each kind says.
func (w *agrona) pollAt(t wheel.Tick, fired []wheel.Expiry) []wheel.Expiry {
	w.clock, w.Reached = t, t
	sum := 0
	for {
		before, tick := len(fired), w.tick
		fired = w.poll(fired)
		n := len(fired) - before
		sum += n
		switch {
		case w.cfg.Polls == PollsAeron && (w.cfg.Limit == 0 || sum < w.cfg.Limit) && w.edge() < t:
		case w.cfg.Polls == PollsDrain && (n > 0 || w.tick != tick):
		default:
			return fired
		}
	}
}

// TestPowersOfTwo rejects other sizes, instead of rounding them.
func TestPowersOfTwo(t *testing.T) {
	for name, c := range map[string]Config{"slots": {Slots: 12, Width: 1, Allocation: 1}, "width": {Slots: 8, Width: 3, Allocation: 1}, "allocation": {Slots: 8, Width: 1, Allocation: 6}} {
		_, err := New(c)
		if pe := (*wheel.ParamError)(nil); !errors.As(err, &pe) || pe.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCapacity has more timers in one spoke than the wheel may have cells.
func TestCapacity(t *testing.T) {
	w := coretest.Build(t, Algorithm, catalog.Params{"slots": int64(wheel.SlotsMax), "allocation": int64(1 << 14)}, 0)
	for k := range uint32(1 << 14) {
		if _, _, err := w.Schedule(wheel.Spec{Due: 5, Key: k + 1}); err != nil {
			t.Fatal(err)
		}
	}
	if !coretest.Refused(w, wheel.Spec{Due: 5, Key: 1 << 20}, wheel.ErrCapacity) {
		t.Error("the wheel grows beyond its limit")
	}
}
