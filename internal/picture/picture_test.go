package picture

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
)

// wheelOf is a ring of eight slots with timers, one of them marked, and the hand at slot 2.
func wheelOf(timers int) (*templates.Page, *templates.Lane) {
	l := &templates.Lane{ID: "tower", Algorithm: "rounds", Title: "Wheel <with> rounds", Shape: "ring", Until: 90,
		Levels: []templates.Level{{Slots: 8, Width: 1, Hand: 2}}, Totals: templates.Totals{Live: int64(timers)}}
	for s := range 8 {
		pl := templates.Place{Slot: s, Count: timers / 8}
		for k := range min(pl.Count, templates.DotsMax) {
			pl.Timers = append(pl.Timers, templates.Timer{ID: uint32(s*1000 + k + 1), Name: fmt.Sprint("t", k), Due: 9, HasRounds: true, Rounds: 1, Marked: s == 3 && k == 0})
		}
		l.Places = append(l.Places, pl)
	}
	return &templates.Page{Lang: "en", Title: "test", Now: 41, Texts: static.Texts("en")}, l
}

// drawn returns a picture.
func drawn(t *testing.T, as string, timers int, o Options) []byte {
	t.Helper()
	p, l := wheelOf(timers)
	var b bytes.Buffer
	if err := Write(context.Background(), &b, as, p, l, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// An SVG needs no style sheet: it is well-formed XML, every shape has its colours, every timer is
// present, and users' texts are escaped.
func TestSVG(t *testing.T) {
	text := string(drawn(t, "svg", 16, Options{Width: 500}))
	var all struct {
		Width, Height string         `xml:",attr"`
		Circles       []drawnElement `xml:"circle"`
		Paths         []drawnElement `xml:"path"`
		Texts         []drawnElement `xml:"text"`
	}
	if err := xml.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="543" `) {
		t.Errorf("begins %.120s", text)
	}
	if len(all.Circles) != 3+2*16 || len(all.Paths) < 2 { // rings, the disc of the middle, dots and their badges
		t.Errorf("%d circles, %d paths", len(all.Circles), len(all.Paths))
	}
	for _, e := range append(all.Circles, all.Paths...) {
		if e.Fill == "" || e.Fill == "none" && e.Stroke == "" {
			t.Errorf("a shape is not seen: %+v", e)
		}
	}
	for _, want := range []string{">t = 41<", ">16 pending<", ">Wheel &lt;with&gt; rounds<", ">tower<", `fill="#0072b2"`, `stroke-dasharray="3 2"`, `fill-opacity="0.25"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture has no %s", want)
		}
	}
	if strings.Contains(text, "class=") || strings.Contains(text, "var(") || strings.Contains(text, "#ff00ff") {
		t.Error("a style is left over, or a colour is missing")
	}
}

type drawnElement struct {
	Fill   string `xml:"fill,attr"`
	Stroke string `xml:"stroke,attr"`
}

// A PNG has the card, a dot and the hand at the same places, and ink in the middle.
func TestPNG(t *testing.T) {
	for _, theme := range Themes() {
		img, err := png.Decode(bytes.NewReader(drawn(t, "png", 8, Options{Width: 800, Theme: theme})))
		if err != nil {
			t.Fatal(err)
		}
		if b := img.Bounds(); b.Dx() != 800 || b.Dy() != 868 {
			t.Fatalf("%s: %v", theme, b)
		}
		colours, err := paletteOf(theme)
		if err != nil {
			t.Fatal(err)
		}
		at := func(x, y float64) color.Color { return img.At(int(x*2), int((y+above)*2)) }
		near := func(x, y float64, want color.NRGBA) bool { // within a few units
			for dx := -9.0; dx <= 9; dx += 0.5 {
				for dy := -9.0; dy <= 9; dy += 0.5 {
					if same(at(x+dx, y+dy), want) {
						return true
					}
				}
			}
			return false
		}
		if !same(at(2, 398), colours.get("card")) {
			t.Errorf("%s: the corner is %v", theme, at(2, 398))
		}
		if !near(200, 83, colours.get("timer-0")) { // timer 1 is in slot 0, at the top
			t.Errorf("%s: no timer at the top", theme)
		}
		if !near(300, 200, colours.get("hand-fill")) { // slot 2 of 8 is at the right
			t.Errorf("%s: no hand at the right", theme)
		}
		if !near(200, 190, colours.get("ink")) {
			t.Errorf("%s: no clock in the middle", theme)
		}
	}
}

func same(c color.Color, want color.NRGBA) bool {
	r, g, b, _ := c.RGBA()
	return uint8(r>>8) == want.R && uint8(g>>8) == want.G && uint8(b>>8) == want.B
}

// If there are too many timers to draw, the slots' counts are shown as a heat map.
func TestManyTimers(t *testing.T) {
	text := string(drawn(t, "svg", 8*300, Options{}))
	if n := strings.Count(text, "<path"); n < 8+2 || strings.Contains(text, `r="0.8"`) {
		t.Errorf("%d paths of a crowded ring", n)
	}
	if len(drawn(t, "png", 8*240, Options{})) < 1000 {
		t.Error("a picture of 1,920 dots is empty")
	}
}

func TestWriteRefuses(t *testing.T) {
	p, l := wheelOf(8)
	for want, o := range map[string]Options{
		"size: 63 is not between 64 and 4096 pixels":              {Width: 63},
		"size: 4097 is not between 64 and 4096 pixels":            {Width: 4097},
		`theme: "sepia" is not one of [light dark contrast]`:      {Theme: "sepia"},
		"font: sfnt: invalid font: expected TrueType or OpenType": {Font: []byte("no font, but text")},
	} {
		if err := Write(context.Background(), io.Discard, "png", p, l, o); err == nil || !strings.HasPrefix(err.Error(), want[:20]) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := Write(context.Background(), full{}, "svg", p, l, Options{}); !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestSpeaks(t *testing.T) {
	if !HasGlyphs(nil, "t = 41 waiting µ …") || HasGlyphs(nil, "等待") || HasGlyphs([]byte("x"), "t") {
		t.Error("what the fonts have letters for is not so")
	}
}

// The colours of timers are those of the page.
func TestTimerColours(t *testing.T) {
	sheet, err := static.FS().Open("css/pictures.css")
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(sheet)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`\.c(\d) \{ --c: (#[0-9a-f]{6});`).FindAllStringSubmatch(string(data), -1)
	if len(found) != len(timerColours) {
		t.Fatalf("the sheet has %d colours of timers", len(found))
	}
	for i, m := range found {
		if m[2] != timerColours[i].disc {
			t.Errorf("c%d is %s, on the page %s", i, timerColours[i].disc, m[2])
		}
	}
}

// Each theme has every colour that a picture uses.
func TestPalettes(t *testing.T) {
	for _, theme := range Themes() {
		p, err := paletteOf(theme)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"card", "ink", "soft", "ring", "ring-line", "dot-line", "hand", "hand-fill", "heat-0", "heat-1", "waits"} {
			if _, ok := p[name]; !ok {
				t.Errorf("%s has no --%s", theme, name)
			}
		}
	}
	light, _ := paletteOf("light")
	dark, _ := paletteOf("dark")
	if light["card"] == dark["card"] || light.heat(0) == light.heat(1) {
		t.Error("themes or heats are alike")
	}
}

// Arcs of a path are round, and the pen returns to the start when the path is closed.
func TestOutline(t *testing.T) {
	lines, err := outlineOf("M110 100A10 10 0 0 1 90 100A10 10 0 0 1 110 100ZM1 2h3v-4H-1V0L5.5 -6z")
	if err != nil || len(lines) != 2 || !lines[0].closed {
		t.Fatalf("%v %v", lines, err)
	}
	for _, p := range lines[0].points {
		if r := math.Hypot(p[0]-100, p[1]-100); math.Abs(r-10) > 1e-9 {
			t.Fatalf("a point of the circle is %v away", r)
		}
	}
	if low := lines[0].points[90]; low[1] < 109 {
		t.Errorf("the arc goes over the top: %v", low)
	}
	want := [][2]float64{{1, 2}, {4, 2}, {4, -2}, {-1, -2}, {-1, 0}, {5.5, -6}}
	if fmt.Sprint(lines[1].points) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", lines[1].points, want)
	}
	for _, bad := range []string{"Q1 2", "M1", "Mx y", "M1 2A1"} {
		if _, err := outlineOf(bad); err == nil {
			t.Errorf("%q is followed", bad)
		}
	}
}

// Dashes alternate with gaps, across corners too.
func TestDashes(t *testing.T) {
	pieces := dashed([][2]float64{{0, 0}, {4, 0}, {4, 4}}, []float64{3, 2})
	want := [][][2]float64{{{0, 0}, {3, 0}}, {{4, 1}, {4, 4}}}
	if fmt.Sprint(pieces) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", pieces, want)
	}
	if n := len(dashed([][2]float64{{0, 0}, {100, 0}}, []float64{3, 2})); n != 20 {
		t.Errorf("%d dashes, want 20", n)
	}
}

// Every shape has its frame: static elements are drawn around and behind the timers.
func TestEveryShapeHasItsFrame(t *testing.T) {
	shapes := map[string]struct {
		lane templates.Lane
		want []string
	}{
		"ring":   {templates.Lane{Shape: "ring", Levels: []templates.Level{{Slots: 8, Width: 1, Hand: 2}}}, []string{"<circle", ">7<"}},
		"rows":   {templates.Lane{Shape: "ring", Algorithm: "tokio", Levels: []templates.Level{{Slots: 64, Width: 1, Hand: 2}, {Level: 1, Slots: 64, Width: 64}}}, []string{"<path", ">0: 1 tick<", ">1: 64 ticks<"}},
		"list":   {templates.Lane{Shape: "list"}, []string{">t = 41<"}},
		"heap":   {templates.Lane{Shape: "heap", Arity: 2}, []string{">t = 41<"}},
		"slices": {templates.Lane{Shape: "slices", Levels: []templates.Level{{Slots: 86400, Width: 1, Hand: 61}}, Params: map[string]any{"as": "corrected"}}, []string{">00:01<", ">:15<", ">in flight<", `text-anchor="end"`}},
	}
	for name, shape := range shapes {
		l := shape.lane
		l.ID, l.Until = name, 90
		var b bytes.Buffer
		if err := Write(context.Background(), &b, "svg", &templates.Page{Lang: "en", Now: 41, Texts: static.Texts("en")}, &l, Options{Width: 500}); err != nil {
			t.Fatal(err)
		}
		for _, want := range shape.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s has no %s", name, want)
			}
		}
	}
}
