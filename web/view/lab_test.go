package view

import (
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// The slot under the hand is floor(now / width) mod slots, by absolute time; levels without a hand
// have none.
func TestHandAt(t *testing.T) {
	ring := &algorithms.Facts{Shape: wheel.ShapeRing}
	for _, c := range []struct {
		level wheel.Level
		now   int64
		want  int
	}{
		{wheel.Level{Slots: 3, Width: 1}, 0, 0}, {wheel.Level{Slots: 3, Width: 1}, 4, 1}, {wheel.Level{Level: 1, Slots: 3, Width: 3}, 8, 2},
		{wheel.Level{Level: 1, Slots: 3, Width: 3}, 9, 0}, {wheel.Level{Slots: 60, Width: 1}, 1<<62 - 1, int((1<<62 - 1) % 60)},
		{wheel.Level{Level: -1, Slots: 1, Width: 4}, 8, -1}, {wheel.Level{Slots: 0, Width: 1}, 8, -1},
	} {
		if got := handAt(ring, c.level, 0, c.now); got != c.want {
			t.Errorf("%+v at %d: %d, want %d", c.level, c.now, got, c.want)
		}
	}
	for _, shape := range []wheel.Shape{wheel.ShapeHeap, wheel.ShapeList} {
		if got := handAt(&algorithms.Facts{Shape: shape}, wheel.Level{Slots: 3, Width: 1}, 0, 5); got != -1 {
			t.Errorf("a %s has a hand at %d", shape, got)
		}
	}
}

// Whatever the start, the hand is at the slot that a tick processes, or at the next one if the
// published code moves its hand after processing a slot.
func TestHandIsWhereTheWheelVisits(t *testing.T) {
	const start = 1003 // with 8 slots, 3 beyond a revolution
	for _, a := range algorithms.Catalogue() {
		w, err := algorithms.New(a.ID, catalog.Params{"slots": int64(8)}, start)
		if err != nil {
			w, err = algorithms.New(a.ID, nil, start) // its number of slots is fixed
		}
		if err != nil {
			t.Fatal(err)
		}
		info := &algorithms.Facts{Shape: w.Layout().Shape, Relative: w.Layout().FromStart}
		log := wheel.Log{Keep: true}
		w.Observe(&log)
		visits := 0
		for at := wheel.Tick(start + 1); at < start+40; at++ {
			w.Schedule(wheel.Spec{Due: at + (at*7)%30, Key: uint32(at)})
			log.Events = log.Events[:0]
			w.Advance(at, nil, 0)
			for _, e := range log.Events {
				if e.Kind != wheel.KindHand || info.Shape != wheel.ShapeRing {
					continue
				}
				visits++
				l := w.Layout().Levels[e.FromLevel]
				want := int(e.FromSlot)
				if info.Relative {
					want = (want + 1) % l.Slots
				}
				if got := handAt(info, l, start, at-start); got != want {
					t.Errorf("%s: at tick %d the hand of level %d is drawn at slot %d, want %d", a.ID, at-start, l.Level, got, want)
				}
			}
		}
		if visits == 0 && info.Shape == wheel.ShapeRing && a.ID != "kafka" && a.ID != "riicarus" && a.ID != "calendar" {
			t.Errorf("%s visits nothing", a.ID)
		}
	}
}

// The hand of a lane with slices is at the second that contains its tick, whether or not ticks
// divide a second.
func TestSecondOfATick(t *testing.T) {
	for _, c := range []struct {
		tick               string
		start, clock, want int64
	}{
		{"1ms", 1_700_000_000_123, 877, 1_700_000_001},
		{"300ms", 5_666_666_666, 0, 1_699_999_999},
		{"300ms", 5_666_666_666, 1, 1_700_000_000},
		{"3.333333ms", 510_000_000_000, 0, 1_699_999_830},
		{"1s", 1_700_000_000, 9, 1_700_000_009},
		{"20s", 85_000_000, 1, 1_700_000_020},
	} {
		run := webtest.Open(t, fmt.Sprintf(`{"wheelscope":1,"tick":%q,"start":%d,"until":1000,"lanes":[{"algorithm":"redis"}],"workload":{"ops":[]}}`, c.tick, c.start))
		snap, err := run.Seek(t.Context(), sim.EndOf(c.clock), 0)
		if err != nil {
			t.Fatal(err)
		}
		p := run.Program()
		if got := levelsOf(p, &p.Scenario.Facts()[0], &snap.Lanes[0], static.Texts("en"))[0].Hand; int64(got) != c.want {
			t.Errorf("%d+%d ticks of %s: second %d, want %d", c.start, c.clock, c.tick, got, c.want)
		}
	}
}

// The page of every tick shows the content of the snapshot.
func TestViewOfEveryTick(t *testing.T) {
	run := webtest.Open(t, webtest.Widely)
	p := run.Program()
	for tick := int64(0); tick <= p.Until; tick++ {
		snap, err := run.Seek(t.Context(), sim.EndOf(tick), templates.TimersShown)
		if err != nil {
			t.Fatal(err)
		}
		v := Lab(Options{Given: p}, run, snap, "en")
		if v.Now != tick || v.Seq != snap.Seq || v.Title != "widely" || v.Until != 90 || len(v.Lanes) != len(snap.Lanes) {
			t.Fatalf("tick %d: %d %d %q", tick, v.Now, v.Seq, v.Title)
		}
		for i := range v.Lanes {
			checkLane(t, p, &v.Lanes[i], &snap.Lanes[i])
		}
	}
}

func checkLane(t *testing.T, p *program.Program, got *templates.Lane, want *engine.LaneSnapshot) {
	t.Helper()
	c := want.Counts
	if got.Totals != (templates.Totals{Live: int64(want.Live), Fired: c.Expired, Cancelled: c.Cancelled, Rejected: c.Rejected, Early: c.Early, Late: c.Late}) {
		t.Fatalf("%s: totals %+v of %+v", got.ID, got.Totals, c)
	}
	if got.Cost.Total != want.Cost.Total || got.Cost.WorstAt != want.Cost.WorstAt || len(got.Places) != len(want.Places) || len(got.Levels) != len(want.Levels) {
		t.Fatalf("%s: %+v", got.ID, got)
	}
	for i, place := range got.Places {
		from := want.Places[i]
		if place.Count != from.Count || len(place.Timers) != min(from.Count, templates.TimersShown) {
			t.Fatalf("%s level %d slot %d: %d timers shown of %d, %d there", got.ID, place.Level, place.Slot, len(place.Timers), place.Count, from.Count)
		}
		for k, timer := range place.Timers {
			e := from.Entries[k]
			if timer.ID != e.ID || timer.Name != p.Name(e.ID) || timer.Due != e.Due || timer.Marked != e.Marked || timer.HasRounds != (e.Rounds != wheel.NoRounds) {
				t.Fatalf("%s: timer %+v of %+v", got.ID, timer, e)
			}
		}
	}
}

// Due ticks are relative to the start, hands use absolute time.
func TestViewOfALaterStart(t *testing.T) {
	run := webtest.Open(t, `{"wheelscope":1,"start":1000,"until":9,"lanes":[{"algorithm":"simple","slots":7}],
	 "workload":{"ops":[{"at":2,"op":"schedule","timer":"a","delay":3}]}}`)
	snap, err := run.Seek(t.Context(), sim.EndOf(4), templates.TimersShown)
	if err != nil {
		t.Fatal(err)
	}
	lane := Lab(Options{Given: run.Program()}, run, snap, "en").Lanes[0]
	if hand := lane.Levels[0].Hand; hand != 1004%7 {
		t.Errorf("the hand is at %d, want %d", hand, 1004%7)
	}
	if timer := lane.Places[0].Timers[0]; timer.Due != 5 || lane.Places[0].Slot != 1005%7 {
		t.Errorf("%+v in slot %d", timer, lane.Places[0].Slot)
	}
}

// The picker has every scenario once. A file of the command line comes first, and replaces the
// built-in one of its name.
func TestChoices(t *testing.T) {
	data, _ := library.Builtin("reach")
	builtin, err := program.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	small := webtest.LoadSmall(t)
	for _, c := range []struct {
		given, shown *program.Program
		first        string
		more         int
		selected     string
	}{
		{nil, builtin, library.Builtins()[0].Name, 0, "reach"},
		{small, small, "small", 1, "small"},
		{small, builtin, "small", 1, "reach"},
		{builtin, builtin, "reach", 0, "reach"},
	} {
		list := choices(c.given, c.shown, "en")
		var selected []string
		names := map[string]bool{}
		for _, ch := range list {
			if names[ch.Name] {
				t.Errorf("%s is offered twice", ch.Name)
			}
			names[ch.Name] = true
			if ch.Selected {
				selected = append(selected, ch.Name)
			}
		}
		if list[0].Name != c.first || len(list) != len(library.Builtins())+c.more || len(selected) != 1 || selected[0] != c.selected {
			t.Errorf("first %s of %d, selected %v; want %s of %d, %s", list[0].Name, len(list), selected, c.first, len(library.Builtins())+c.more, c.selected)
		}
	}
}
