package picture

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

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
func drawn(t *testing.T, timers int, o Options) []byte {
	t.Helper()
	p, l := wheelOf(timers)
	var b bytes.Buffer
	if err := Write(context.Background(), &b, p, l, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// An SVG needs no style sheet: it is well-formed XML, every shape has its colours, every timer is
// present, and users' texts are escaped.
func TestSVG(t *testing.T) {
	text := string(drawn(t, 16, Options{Width: 500}))
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
	if len(all.Circles) != 3+2*16-1 || len(all.Paths) < 2 { // rings, the disc of the middle, dots and their rounds, of which the marked one has none
		t.Errorf("%d circles, %d paths", len(all.Circles), len(all.Paths))
	}
	for _, e := range append(all.Circles, all.Paths...) {
		if e.Fill == "" || e.Fill == "none" && e.Stroke == "" {
			t.Errorf("a shape is not seen: %+v", e)
		}
	}
	for _, want := range []string{">t = 41<", ">16 pending<", ">Wheel &lt;with&gt; rounds<", ">tower<", `fill="#0072b2"`, `stroke-dasharray="3 3"`} {
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

// If there are too many timers to draw, the slots' counts are shown as a heat map.
func TestManyTimers(t *testing.T) {
	text := string(drawn(t, 8*300, Options{}))
	if n := strings.Count(text, "<path"); n < 8+2 || strings.Contains(text, `r="0.8"`) {
		t.Errorf("%d paths of a crowded ring", n)
	}
	if len(drawn(t, 8*240, Options{})) < 1000 {
		t.Error("a picture of 1,920 dots is empty")
	}
}

func TestWriteRefuses(t *testing.T) {
	p, l := wheelOf(8)
	for want, o := range map[string]Options{
		"size: 63 is not between 64 and 4096 pixels":         {Width: 63},
		"size: 4097 is not between 64 and 4096 pixels":       {Width: 4097},
		`theme: "sepia" is not one of [light dark contrast]`: {Theme: "sepia"},
	} {
		if err := Write(context.Background(), io.Discard, p, l, o); err == nil || !strings.HasPrefix(err.Error(), want[:20]) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := Write(context.Background(), full{}, p, l, Options{}); !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// The colours of timers are those of the page.
func TestTimerColours(t *testing.T) {
	sheet, err := static.FS().Open("css/colours.css")
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
		for _, name := range []string{"card", "ink", "soft", "ring", "ring-line", "dot-line", "hand", "hand-fill", "move", "expiry", "rejection", "accent", "accent-pale", "heat-0", "heat-1", "waits"} {
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
		if err := Write(context.Background(), &b, &templates.Page{Lang: "en", Now: 41, Texts: static.Texts("en")}, &l, Options{Width: 500}); err != nil {
			t.Fatal(err)
		}
		for _, want := range shape.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s has no %s", name, want)
			}
		}
	}
}

// countdown is a context that is cancelled after a number of checks.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// All stages of a picture stop when the context is done.
func TestWriteStops(t *testing.T) {
	p, l := wheelOf(8)
	l.Levels[0].Slots = 1024
	for s := range 1024 { // of 4 circles each
		l.Places = append(l.Places, templates.Place{Slot: s, Count: 1, Timers: []templates.Timer{{ID: uint32(s + 9), HasRounds: true, Rounds: 3}}})
	}
	looks := &countdown{t.Context(), 1 << 30}
	if err := Write(looks, io.Discard, p, l, Options{}); err != nil {
		t.Fatal(err)
	}
	n := 1<<30 - looks.left
	if n < 50 {
		t.Errorf("the context is looked at %d times", n)
	}
	for _, at := range []int{0, 1, n / 4, n / 2, n - 1} {
		c := &countdown{t.Context(), at}
		if err := Write(c, io.Discard, p, l, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("look %d of %d: %v", at, n, err)
		}
	}
}

// A picture needs no more memory than Bytes.
func TestBytes(t *testing.T) {
	old := debug.SetGCPercent(10)
	defer debug.SetGCPercent(old)
	for _, timers := range []int{8 * 240, 8 * 300} {
		p, l := wheelOf(timers)
		var before, now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		done, peak := make(chan error), uint64(0)
		var b bytes.Buffer
		go func() { done <- Write(t.Context(), &b, p, l, Options{Width: WidthMax}) }()
		for writing := true; writing; {
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
				writing = false
			case <-time.After(5 * time.Millisecond):
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapInuse)
			}
		}
		if got := int64(peak) - int64(before.HeapInuse); got > Bytes {
			t.Errorf("%d timers: %d bytes at the peak", timers, got)
		}
		t.Logf("%d timers: peak %d, file %d", timers, int64(peak)-int64(before.HeapInuse), b.Len())
	}
}
