package templates

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/picture-vectors.json")

const vectorsFile = "testdata/picture-vectors.json"

// vectors are positions in pictures that the page's scripts must compute as well: internal/e2e
// compares their results with these. Numbers are rounded to 1/1000 unit.
type vectors struct {
	Rings    [][4]float64 `json:"rings"`    // level, levels, inner and outer radius
	Labels   []labelsOf   `json:"labels"`   // of one level
	Paths    [][7]any     `json:"paths"`    // level, levels, slot, slots, outline of the slot under the hand, hand, borders
	Spots    []spotsOf    `json:"spots"`    // of one place
	Sizes    [][5]any     `json:"sizes"`    // radius of the middle, a text, its sizes as time, as wall-clock time and as number of timers
	ClockRow [][4]string  `json:"clockRow"` // time, number of timers, their sizes on one line
}

type labelsOf struct {
	Level, Levels, Slots int
	Labels               [][4]any // x, y, slot, side
	Lead                 string   // the line from the text about the ring's slots to the ring
	Spans                [][5]any // x, y, side, text and whether it is too long, of the lines of that text
}

type spotsOf struct {
	Shape  string
	Arity  int
	Levels [][3]int64 // level, slots, width
	Size   int
	Place  [3]int // level, slot, count
	Spots  [][3]float64
}

func thousandths(v float64) float64 {
	n := int64(v*1000 + 0.5)
	if v < 0 {
		n = int64(v*1000 - 0.5)
	}
	return float64(n) / 1000
}

func makeVectors() *vectors {
	v := &vectors{}
	for levels := 1; levels <= 6; levels++ {
		for level := range levels {
			all := make([]Level, levels)
			ring := func(slots int) ringShape {
				for i := range all {
					all[i] = Level{Level: i, Slots: slots, Width: 1}
				}
				return ringsOf(&Lane{Levels: all})[level]
			}
			r := ring(1)
			v.Rings = append(v.Rings, [4]float64{float64(level), float64(levels), thousandths(r.inner), thousandths(r.outer)})
			for _, slots := range []int{1, 3, 16, 60, 64, 180, 4096} {
				one := labelsOf{Level: level, Levels: levels, Slots: slots, Labels: [][4]any{}, Spans: [][5]any{}}
				if level < 3 { // others have no text
					one.Lead = ring(slots).leadPath(level)
				}
				for _, l := range ring(slots).labels(level) {
					one.Labels = append(one.Labels, [4]any{thousandths(l.X), thousandths(l.Y), float64(l.Slot), l.Side})
				}
				for _, text := range []string{"", "16 ms per slot, 256 ms per turn", "每槽 16 ms，每圈 ≈ 68.267 min", "16 ms per slot, ≈ 68.267 min per turn"} {
					for _, l := range spanLines(level, text, slots == 16) {
						one.Spans = append(one.Spans, [5]any{l.X, l.Y, l.Side, l.Text, l.Long})
					}
				}
				v.Labels = append(v.Labels, one)
				slot := slots * 2 / 3
				v.Paths = append(v.Paths, [7]any{float64(level), float64(levels), float64(slot), float64(slots),
					ring(slots).sector(slot), ring(slots).pointerPath(hubRadius(levels), slot), ring(min(slots, 16)).spokes()})
			}
		}
	}
	for _, levels := range [][]Level{{{0, 16, 1, 0, ""}}, {{0, 64, 1, 0, ""}, {1, 64, 64, 0, ""}}, {{0, 16, 1, 0, ""}, {1, 16, 16, 0, ""}, {2, 16, 256, 0, ""}, {-1, 1, 0, -1, ""}}} {
		for _, size := range []int{3, 100, 1000} {
			for _, count := range []int{1, 3, 20} {
				v.spots(Lane{Shape: "ring", Algorithm: "hierarchical", Levels: levels}, size, Place{Level: len(levels) % 3, Slot: 5, Count: count})
				v.spots(Lane{Shape: "ring", Algorithm: "hierarchical", Levels: levels}, size, Place{Level: 0, Slot: 7, Count: count})
			}
		}
	}
	for _, count := range []int{1, 16, 17, 400} {
		v.spots(Lane{Shape: "list", Levels: []Level{{Level: 0, Slots: 1}}}, count, Place{Count: count})
		v.spots(Lane{Shape: "heap", Arity: 2, Levels: []Level{{Level: 0}}}, count, Place{Slot: count - 1, Count: 1})
		v.spots(Lane{Shape: "heap", Arity: 4, Levels: []Level{{Level: 0}}}, count, Place{Slot: count / 2, Count: 1})
	}
	for _, hole := range []float64{46, 60, 80} {
		for _, text := range []string{"t = 7", "t = 123456789", "512 ms", "500 个等待"} {
			v.Sizes = append(v.Sizes, [5]any{hole, text, clockSize(hole, text), wallSize(hole, text), waitingSize(hole, text)})
		}
	}
	for _, text := range [][2]string{{"t = 7", "1 waiting"}, {"t = 123456789", "100000 waiting"}} {
		a, b := flushSizes(text[0], text[1])
		v.ClockRow = append(v.ClockRow, [4]string{text[0], text[1], a, b})
	}
	return v
}

// spots adds the positions of the timers of a place in a lane of size timers.
func (v *vectors) spots(l Lane, size int, pl Place) {
	if pl.Level >= len(l.Levels) || l.Levels[pl.Level].Level < 0 {
		return
	}
	rest := Place{Level: pl.Level, Slot: pl.Slot + 1, Count: size - pl.Count}
	if l.Shape == "heap" {
		rest = Place{Slot: size - 1, Count: 1}
	}
	l.Places = []Place{pl, rest}
	one := spotsOf{Shape: l.Shape, Arity: l.Arity, Size: size, Place: [3]int{pl.Level, pl.Slot, pl.Count}}
	for _, level := range l.Levels {
		one.Levels = append(one.Levels, [3]int64{int64(level.Level), int64(level.Slots), level.Width})
	}
	for i := range pl.Count {
		p := spot(&l, &pl, i)
		one.Spots = append(one.Spots, [3]float64{thousandths(p.X), thousandths(p.Y), thousandths(p.R)})
	}
	v.Spots = append(v.Spots, one)
}

// TestVectors compares the positions with the file that the page's scripts are compared with.
func TestVectors(t *testing.T) {
	got, err := json.Marshal(makeVectors())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(vectorsFile, append(got, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal(want, &b) != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("the positions are not those of %s; go test ./templates -run Vectors -update writes it", vectorsFile)
	}
}
