package protocol

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/wheel"
)

// reread decodes hand-written JSON with the standard library.
func reread[T any](t *testing.T, data []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %.300s", err, data)
	}
	return v
}

func TestHeaderAndFields(t *testing.T) {
	b := append(AppendField(AppendHeader(nil, "state", "0123456789abcdef", 77), "tick", -3), '}')
	got := reread[map[string]any](t, b)
	want := map[string]any{"v": 1.0, "kind": "state", "run": "0123456789abcdef", "seq": 77.0, "tick": -3.0}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

// A row has 15 integers for every kind; fields that a kind lacks are 0.
func TestRowOfEveryKind(t *testing.T) {
	r := engine.Record{Tick: 40, Lane: 3, Event: wheel.Event{Due: 1045, X: 9, ID: 5, Before: 4, Run: 2, FromSlot: 6, ToSlot: 7, FromLevel: 1, ToLevel: -1, Code: 8}}
	for k := wheel.KindSchedule; k < wheel.NumKinds; k++ {
		r.Kind = k
		row := reread[[]int64](t, append(AppendRow([]byte{'['}, &r, 100, 1000, 11), ']'))
		due, x := int64(0), int64(0)
		if k.HasDue() || k == wheel.KindEnqueue || k == wheel.KindDequeue || k == wheel.KindFinding {
			due = 45 // relative to the start at 1000
		}
		switch k {
		case wheel.KindPlace, wheel.KindGrow, wheel.KindResize:
			x = 9
		case wheel.KindFinding: // late: the tick at which it fired, also relative
			x = 9 - 1000
		}
		want := []int64{100, 40, 3, int64(k), 5, 1, 6, -1, 7, 4, x, due, 2, 8, 11}
		if len(row) != RowWidth || !slices.Equal(row, want) {
			t.Errorf("%s:\n got %v\nwant %v", k, row, want)
		}
	}
}

// Uncounted rounds are −1 in a message, a missing level is −128.
func TestRowOfWhatIsNotThere(t *testing.T) {
	r := engine.Record{Event: wheel.Event{Kind: wheel.KindPlace, X: wheel.NoRounds, FromLevel: wheel.NoLevel}}
	row := reread[[]int64](t, append(AppendRow([]byte{'['}, &r, 1, 0, 0), ']'))
	if row[10] != -1 || row[5] != -128 {
		t.Errorf("%v", row)
	}
}

// Integers near the limits of ticks arrive exactly.
func TestRowOfLargeTicks(t *testing.T) {
	const big = 1<<62 - 1
	r := engine.Record{Tick: big, Event: wheel.Event{Kind: wheel.KindExpire, ID: 1<<32 - 1, Due: big, FromSlot: 1<<32 - 1, FromLevel: -1}}
	row := reread[[]int64](t, append(AppendRow([]byte{'['}, &r, big, 0, big), ']'))
	if row[0] != big || row[1] != big || row[4] != 1<<32-1 || row[6] != 1<<32-1 || row[11] != big || row[14] != big {
		t.Errorf("%v", row)
	}
}

// stateOf returns a lane as encoded in a state and decoded again.
func stateOf(t *testing.T, s *engine.LaneSnapshot, mode string, most int, p *program.Program) StateLane {
	t.Helper()
	names := NewNameTable(p)
	return reread[StateLane](t, AppendLane(nil, s, mode, most, p.Start, &names))
}

// In both modes every state of a run has the content of its snapshot.
func TestLaneOfAState(t *testing.T) {
	run := webtest.Open(t, webtest.Widely)
	p := run.Program()
	for tick := int64(-1); tick <= p.Until; tick += 7 {
		snap, err := run.Seek(t.Context(), sim.EndOf(max(tick, 0)), wheel.AllEntries)
		if err != nil {
			t.Fatal(err)
		}
		for i := range snap.Lanes {
			s := &snap.Lanes[i]
			full, counts, rest := stateOf(t, s, ModeFull, 0, p), stateOf(t, s, ModeCounts, 0, p), stateOf(t, s, ModeCounts, 2, p)
			if full.Now != s.Cost.Clock || full.Counts[0] != int64(s.Live) || full.Counts[4] != s.Counts.Expired || full.Cost[3] != s.Cost.Total || len(full.Levels) != len(s.Levels) {
				t.Fatalf("tick %d lane %d: %+v of %+v", tick, i, full, s)
			}
			for k, place := range s.Places {
				checkPlace(t, full.Places[k], place, place.Count)
				checkPlace(t, counts.Places[k], place, 0)
				checkPlace(t, rest.Places[k], place, min(2, place.Count))
			}
		}
	}
}

func checkPlace(t *testing.T, got []any, want wheel.Place, entries int) {
	t.Helper()
	head := []any{float64(want.Level), float64(want.Slot), float64(want.Count)}
	list := got[3].([]any)
	if !reflect.DeepEqual(got[:3], head) || len(list) != 5*entries {
		t.Fatalf("place %v, want %v with %d timers", got, head, entries)
	}
	for i := range entries {
		e := &want.Entries[i]
		marked := 0.0
		if e.Marked {
			marked = 1
		}
		if entry := []any{float64(e.ID), float64(e.Due), float64(max(e.Rounds, -1)), float64(e.Run), marked}; !reflect.DeepEqual(list[5*i:5*i+5], entry) {
			t.Fatalf("timer %v, want %v", list[5*i:5*i+5], entry)
		}
	}
}

// The delay queue, and the one timer that is in no place yet.
func TestQueueAndArmingOfAState(t *testing.T) {
	p := webtest.LoadSmall(t)
	s := &engine.LaneSnapshot{State: wheel.State{
		Queue:  []wheel.Bucket{{Level: 0, Slot: 3, Due: 8}, {Level: 1, Slot: 0, Due: 9}},
		Arming: &wheel.Entry{ID: 2, Due: 5, Rounds: wheel.NoRounds, Run: 1, Marked: true},
	}}
	got := stateOf(t, s, ModeFull, 0, p)
	if !reflect.DeepEqual(got.Queue, []Due{{0, 3, 8}, {1, 0, 9}}) || !reflect.DeepEqual(got.Arming, Entries{2.0, 5.0, -1.0, 1.0, 1.0}) {
		t.Errorf("%+v", got)
	}
}

// A change has slots in mode counts only, and levels only if one is new.
func TestChangeOfALane(t *testing.T) {
	tl := LaneCounts{levels: []wheel.Level{{Level: 0, Slots: 4, Width: 1}}, Live: 3}
	tl.slots.Reset(nil, true)
	enter := func(level int8, slot uint32) {
		tl.slots.Fold(&wheel.Event{Kind: wheel.KindPlace, FromLevel: wheel.NoLevel, ToLevel: level, ToSlot: slot})
	}
	enter(0, 2)
	enter(0, 2)
	enter(0, 2)
	enter(-1, 0)
	enter(0, 0)
	tl.slots.Fold(&wheel.Event{Kind: wheel.KindExpire, FromLevel: 0, FromSlot: 0})
	cost := engine.LaneCost{Tick: 1, Worst: 2, WorstAt: 3, Total: 4, Work: wheel.Cost{Slots: 5, Touched: 6, Compared: 7, Moved: 8}}
	full := reread[ChangedLane](t, AppendChange(nil, 5, 17, &tl, cost, ModeFull))
	if full.Lane != 5 || full.Now != 17 || full.Counts[0] != 3 || !slices.Equal(full.Cost, []int64{1, 2, 3, 4, 5, 6, 7, 8}) || full.Slots != nil || full.Levels != nil {
		t.Errorf("full: %+v", full)
	}
	tl.grown = true
	counts := reread[ChangedLane](t, AppendChange(nil, 5, 17, &tl, cost, ModeCounts))
	want := []SlotsChange{{0.0, []any{2.0, 3.0, 0.0, 0.0}}, {-1.0, []any{0.0, 1.0}}}
	if !reflect.DeepEqual(counts.Slots, want) || !reflect.DeepEqual(counts.Levels, []Level{{0, 4, 1}}) {
		t.Errorf("counts: %+v", counts)
	}
	tl.MarkSent()
	if quiet := reread[ChangedLane](t, AppendChange(nil, 0, 18, &tl, cost, ModeCounts)); len(quiet.Slots) != 0 || quiet.Levels != nil {
		t.Errorf("nothing changed, and yet %+v", quiet)
	}
}

// Integers are those of strconv, at the limits of each number of digits too.
func TestIntegers(t *testing.T) {
	list := []int64{math.MinInt64, -1, 0, math.MaxUint32, 1<<32 + 7, math.MaxInt64}
	for n := int64(1); n <= 1e7; n *= 10 {
		list = append(list, n-1, n, n+1, 7*n+3)
	}
	var want []string
	for _, n := range list {
		want = append(want, strconv.FormatInt(n, 10))
	}
	if got := string(AppendList(nil, list...)); got != strings.Join(want, ",") {
		t.Errorf("got  %s\nwant %s", got, strings.Join(want, ","))
	}
}

// BenchmarkIntegers compares AppendList with strconv, for numbers of slots and timers.
func BenchmarkIntegers(b *testing.B) {
	buffer := make([]byte, 0, 64)
	b.Run("AppendList", func(b *testing.B) {
		for i := range b.N {
			buffer = AppendList(buffer[:0], 0, int64(i&0xffff), int64(i&7))
		}
	})
	b.Run("strconv", func(b *testing.B) {
		for i := range b.N {
			buffer = strconv.AppendInt(buffer[:0], 0, 10)
			buffer = strconv.AppendInt(append(buffer, ','), int64(i&0xffff), 10)
			buffer = strconv.AppendInt(append(buffer, ','), int64(i&7), 10)
		}
	})
}
