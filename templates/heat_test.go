package templates

import (
	"context"
	"strings"
	"testing"
)

// manyTimers returns a ring with the given number of slots, two of which are full.
func manyTimers(slots int) *Lane {
	return &Lane{Shape: "ring", Algorithm: "rounds", Levels: []Level{{Slots: slots, Width: 1, Hand: 1}}, Totals: Totals{Live: DotsMax + 1},
		Places: []Place{{Slot: 0, Count: 1}, {Slot: 1, Count: 40}, {Slot: slots - 1, Count: DotsMax - 40}}}
}

// Slots are shaded by the logarithm of their number of timers; with more slots than bins, each bin
// shows its fullest slot.
func TestHeats(t *testing.T) {
	list := heats(manyTimers(8))
	if len(list) != 3 || list[0].Share != 0 || !(0 < list[1].Share && list[1].Share < list[2].Share) || list[2].Share > 1 {
		t.Errorf("%+v", list)
	}
	if list := heats(manyTimers(heatBinsMax * 4)); len(list) != 2 { // slots 0 and 1 are one bin
		t.Errorf("%d bins of %d slots, want 2", len(list), heatBinsMax*4)
	}
	one := manyTimers(8)
	one.Places = []Place{{Slot: 3, Count: 1}, {Level: -1, Count: 9}}
	if list := heats(one); len(list) != 1 || list[0].Share != 1 {
		t.Errorf("a lone timer: %+v", list)
	}
}

// A crowded heap has a bar for each row of its tree. The width of the last bar shows how full its
// row is.
func TestBlocks(t *testing.T) {
	l := &Lane{Shape: "heap", Arity: 2}
	for k := range 6 {
		l.Places = append(l.Places, Place{Slot: k, Count: 1})
	}
	bars := blocks(l)
	if len(bars) != 3 || bars[0].Wide != 368 || bars[2].Wide != 368*3/4 || bars[2].Y != 64+32 {
		t.Errorf("%+v", bars)
	}
	if bars := blocks(&Lane{Shape: "list", Places: []Place{{Count: 1 << 20}}}); len(bars) != 1 || bars[0].High != 300 {
		t.Errorf("a list: %+v", bars)
	}
}

// A lane's picture has dots if there are few timers, otherwise a heat map or bars.
func TestLanePicture(t *testing.T) {
	draw := func(l *Lane) string {
		var b strings.Builder
		if err := LanePicture(&Page{Texts: Texts{"waiting": "{n} waiting"}}, l).Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := draw(manyTimers(8)); strings.Count(got, `class="heat"`) != 3 || strings.Contains(got, `class="dots"`) || !strings.Contains(got, `class="hand-line"`) {
		t.Errorf("a crowded ring: %.400s", got)
	}
	aside := manyTimers(8)
	aside.Levels = append(aside.Levels, Level{Level: -1})
	aside.Places = append(aside.Places, Place{Level: -1, Count: 4321})
	if got := draw(aside); !strings.Contains(got, ">4321<") {
		t.Errorf("a crowded ring shows nothing of its side list: %.400s", got)
	}
	few := manyTimers(8)
	few.Totals.Live, few.Places = 2, []Place{{Slot: 1, Count: 2, Timers: []Timer{{ID: 1, Name: "a"}, {ID: 2, Name: "b"}}}}
	if got := draw(few); strings.Count(got, "data-id") != 2 || strings.Contains(got, "heat") {
		t.Errorf("a ring of two: %.400s", got)
	}
	heap := &Lane{Shape: "heap", Arity: 2, Totals: Totals{Live: DotsMax + 1}, Places: []Place{{Slot: DotsMax, Count: 1}}}
	if got := draw(heap); !strings.Contains(got, `class="block"`) || strings.Contains(got, "data-id") {
		t.Errorf("a crowded heap: %.400s", got)
	}
}
