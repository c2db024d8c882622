package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// rowsMax is the maximum number of rows of a table, of which rowsShown are visible.
const (
	rowsMax   = 16384
	rowsShown = 200
)

// manyPlaces is a heap with more places than a table has rows, beside a small wheel.
const manyPlaces = `{"wheelscope":1,"name":"many-places","until":40000,
 "lanes":[{"id":"heap","algorithm":"heap"},{"id":"wheel","algorithm":"rounds","slots":8}],
 "workload":{"generate":[{"prefix":"t","seed":1,"count":%d,"arrivals":{"dist":"uniform","min":0,"max":0},
  "delay":{"dist":"uniform","min":20000,"max":39000}}]}}`

// TestMorePlacesThanRows opens manyPlaces: the table has the first places and the number of the others,
// with and without scripts. The number is removed when there are no others.
func TestMorePlacesThanRows(t *testing.T) {
	soak(t)
	t.Parallel()
	const besides = 7
	file := filepath.Join(t.TempDir(), "many-places.json")
	if err := os.WriteFile(file, fmt.Appendf(nil, manyPlaces, rowsMax+besides), 0o666); err != nil {
		t.Fatal(err)
	}
	s := serve(t, file)
	p := newTab(t)
	const lastLine = `(doc) => { const foot = doc.querySelector("[data-lane=heap] tfoot");
		return [foot.hidden ? "" : foot.textContent.trim(), String(doc.querySelectorAll("[data-lane=heap] tbody:not([hidden]) tr").length), String(doc.querySelectorAll("[data-lane=heap] tr[data-level]").length),
			[...doc.querySelectorAll("[data-lane=heap] tr[data-level]")].at(-1)?.dataset.slot ?? ""]; }`
	const at = "/?view=lab&t=5"
	p.open(s.url + at)
	want := []string{fmt.Sprintf("… and %d more places", rowsMax+besides-rowsShown), fmt.Sprint(rowsShown), fmt.Sprint(rowsMax), fmt.Sprint(rowsMax - 1)}
	got := eval[[]string](p, "("+lastLine+")(document)")
	sent := eval[[]string](p, `fetch(`+quote(at)+`).then((r) => r.text()).then((text) => (`+lastLine+`)(new DOMParser().parseFromString(text, "text/html")))`)
	if fmt.Sprint(got) != fmt.Sprint(want) || fmt.Sprint(sent) != fmt.Sprint(want) {
		t.Fatalf("the table ends with %q, as sent with %q, want %q", got, sent, want)
	}
	p.press(kb.End)
	p.atTick(40000)
	p.settle()
	if got := eval[[]string](p, "("+lastLine+")(document)"); fmt.Sprint(got) != fmt.Sprint([]string{"", "0", "0", ""}) {
		t.Errorf("with every timer gone the table ends with %q", got)
	}
}

// TestLongTableTakesAClick clicks a timer in a table that is too long to have an element for each
// timer, and follows it.
func TestLongTableTakesAClick(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?scenario=hundred-thousand&t=2000&view=gallery")
	p.press("t")
	p.settle()
	const row = `document.querySelectorAll("[data-lane=rounds] tr[data-level]")[3]`
	names := eval[string](p, row+`.cells[2].textContent`)
	p.run(row + `.scrollIntoView({block: "center"})`)
	p.frames()
	spot := eval[[]float64](p, `(() => { const b = `+row+`.cells[2].getBoundingClientRect(); return [b.left + 20, b.top + 12]; })()`)
	if n := eval[int](p, row+`.querySelectorAll(".timer").length`); n != 0 {
		t.Fatalf("the row has %d elements before it is pointed at", n)
	}
	p.do(chromedp.MouseClickXY(spot[0], spot[1]))
	p.wait(`document.getElementById("follow").value !== "" && document.querySelector("[data-lane=rounds] .timer.followed")`)
	p.settle()
	if eval[string](p, `document.querySelector("[data-lane=rounds] .timer.followed").closest("tr").dataset.slot`) != eval[string](p, row+`.dataset.slot`) {
		t.Errorf("another row than that of %q has the followed timer", names)
	}
	compareShown(t, "with a timer followed", p.shown(), builtin(t, "hundred-thousand").atTick(t, 2000))
}

// TestReloadAtOnce reloads immediately after keys that are pressed faster than the URL is updated.
func TestReloadAtOnce(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots")
	for tick := range int64(6) {
		p.press(kb.ArrowRight)
		p.atTick(tick)
	}
	p.live(chromedp.Reload())
	p.shows("reloaded at once", builtin(t, "three-slots").atTick(t, 5))
}

// TestFullSlotIsSeen has sixty timers in one of thousands of slots, on rings of many sizes: the
// ring shows it, though a slot is narrower than a pixel.
func TestFullSlotIsSeen(t *testing.T) {
	soak(t)
	t.Parallel()
	var lanes []string
	for n := 4096; n < 4096+8*431; n += 431 {
		lanes = append(lanes, fmt.Sprintf(`{"id":"n%d","algorithm":"simple","slots":%d}`, n, n))
	}
	file := filepath.Join(t.TempDir(), "full.json")
	text := `{"wheelscope":1,"name":"full","until":4000,"lanes":[` + strings.Join(lanes, ",") + `],"workload":{"generate":[
		{"prefix":"few","seed":1,"count":3000,"arrivals":{"dist":"uniform","min":0,"max":0},"delay":{"dist":"uniform","min":10,"max":3900}},
		{"prefix":"full","seed":1,"count":60,"arrivals":{"dist":"uniform","min":0,"max":0},"delay":{"dist":"constant","value":1777}}]}}`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s := serve(t, file) // ends after the tab
	p := newTab(t)
	p.open(s.url + "/?view=lab&t=5")
	p.settle()
	const dark = `import(new URL("../../js/core/colours.js", document.querySelector("script[src$='app.js']").src).href).then(({ currentPalette }) => {
		const full = new Set(currentPalette().heat.slice(60));
		return [...document.querySelectorAll("[data-lane] canvas")].map((canvas) => !canvas.width ? 0 :
			new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer).filter((colour) => full.has(colour)).length);
	})`
	got := eval[[]int](p, dark)
	if len(got) != len(lanes) {
		t.Fatalf("%d rings, want %d", len(got), len(lanes))
	}
	for k, pixels := range got {
		if pixels < 5 {
			t.Errorf("%s shows the full slot in %d pixels", lanes[k], pixels)
		}
	}
}
