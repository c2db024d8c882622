package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// Minimum sizes of controls in CSS pixels, for a mouse (WCAG 2.2, 2.5.8) and for a finger (2.5.5).
const (
	clickWide, clickHigh = 24, 24
	tapWide, tapHigh     = 44, 44
)

// TestLayout opens the page in windows of many sizes, from a small telephone to a wall: there is no
// horizontal scrolling, and nothing is truncated, outside, or over another element.
func TestLayout(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	script := string(read(t, "layout.js"))
	newTab(t).atSizes(s.url+"/?view=lab&scenario=", some(3, size{360, 740}, size{1440, 900}, size{3840, 2160}, size{768, 1024}, size{390, 844}, size{1920, 1080}), []string{
		"three-slots&t=3&lang=en", "heartbeats&t=30&lang=zh", "reach&t=5&lang=en", "hundred-thousand&t=40&lang=en",
	}, func(p *tab, _ size, what string) {
		for _, fault := range eval[[]string](p, fmt.Sprintf("(%s)(%d, %d)", script, clickWide, clickHigh)) {
			t.Errorf("%s: %s", what, fault)
		}
	})
}

// size is the size of a window.
type size struct{ wide, high int64 }

// atSizes calls look for each address in a window of each size. It opens an address in one of the
// sizes, a different one each time, and then resizes the window to the others. In the long form it
// opens every address in every size.
func (p *tab) atSizes(base string, sizes []size, addresses []string, look func(p *tab, at size, what string)) {
	p.Helper()
	for k, address := range addresses {
		for n := range sizes {
			at := sizes[(k+n)%len(sizes)]
			p.do(chromedp.EmulateViewport(at.wide, at.high))
			if n == 0 || longForm() {
				p.open(base + address)
			}
			p.settle()
			look(p, at, fmt.Sprintf("%d × %d, %s", at.wide, at.high, address))
		}
	}
}

// TestLayoutUnderAFinger checks the layout on a telephone, where controls are larger.
func TestLayoutUnderAFinger(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	script := string(read(t, "layout.js"))
	p := newTab(t)
	for _, lang := range []string{"en", "zh"} {
		p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
		p.media("", feature{"pointer", "coarse"}, feature{"hover", "none"})
		p.open(s.url + "/?view=lab&scenario=three-slots&t=3&lang=" + lang)
		if !eval[bool](p, `matchMedia("(pointer: coarse)").matches`) {
			t.Fatal("the browser does not take the pointer for a finger")
		}
		for _, fault := range eval[[]string](p, fmt.Sprintf("(%s)(%d, %d)", script, tapWide, tapHigh)) {
			t.Errorf("%s: %s", lang, fault)
		}
	}
}

// TestLargeType doubles the font size, like a setting of the browser. The select boxes must show
// their texts, and the unfolded details leave half of the window to the lanes.
func TestLargeType(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.EmulateViewport(1366, 768))
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3&lang=en")
	p.run(`document.documentElement.style.fontSize = "200%"; document.getElementById("time-fold").click()`)
	p.frames()
	if share := eval[float64](p, `document.querySelector(".player").getBoundingClientRect().height / innerHeight`); share > 0.51 {
		t.Errorf("the player takes %.2f of the window", share)
	}
	cut := eval[[]string](p, `[...document.querySelectorAll("select")].filter((e) => e.checkVisibility()).filter((e) => {
		const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(e);
		pen.font = style.font;
		const room = e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
		return pen.measureText(e.selectedOptions[0].text).width > room || parseFloat(style.fontSize) > e.clientHeight;
	}).map((e) => e.id)`)
	if len(cut) > 0 || eval[int](p, `[...document.querySelectorAll("select")].filter((e) => e.checkVisibility()).length`) == 0 {
		t.Errorf("cut select boxes: %v", cut)
	}
}

// TestMenuIsComplete checks that every link and button of the bar can be reached at every width, in the bar
// or in its menu.
func TestMenuIsComplete(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, wide := range []int64{360, 700, 900, 1024, 1366} {
		p.do(chromedp.EmulateViewport(wide, 768))
		p.open(s.url + "/?view=lab&scenario=three-slots&lang=en")
		p.run(`((menu) => menu.checkVisibility() && menu.click())(document.getElementById("menu-open"))`)
		for _, name := range []string{"Lanes", "Workload", "Branches", "Predict", "Race", "Lectures", "Share", "?", "中文"} {
			if !eval[bool](p, `[...document.querySelectorAll(".bar a, .bar button")].some((e) => e.textContent.trim() === "`+name+`" && e.checkVisibility())`) {
				t.Errorf("%d px: no %s", wide, name)
			}
		}
	}
}

// TestShell measures the first screen of the laboratory: few controls are in view, the lanes have most of the window, and
// nothing of it moves or shrinks when a sheet or the lectures open.
func TestShell(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.EmulateViewport(1366, 768))
	type shell struct {
		Controls       []string
		Picture, Lanes float64 // shares of the window's height
		Rings          []float64
		Scrolls        bool
	}
	// The parts of Rings are the diameters of the wheels, each relative to what the lane has room for.
	const first = `(() => {
		const box = (e) => e.getBoundingClientRect(), rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
		const controls = [...document.querySelectorAll("a[href], button, select, input, summary, [role=slider]")].filter((e) => e.id === "time" || e.checkVisibility({opacityProperty: true, visibilityProperty: true}))
			.filter((e) => box(e).width > 2 && box(e).top < innerHeight && box(e).bottom > 0 && box(e).right > 0);
		const stage = document.querySelector(".stage");
		return {
			Controls: controls.map((e) => e.ariaLabel || e.id || e.textContent), Picture: box(stage).height / innerHeight, Lanes: box(document.querySelector("#lanes")).height / innerHeight,
			Rings: [...document.querySelectorAll('.lane[data-shape="ring"]')].map((lane) => Math.max(...[...lane.querySelectorAll("circle.ring")].map((e) => box(e).width)) / (Math.min(box(lane).width, box(lane.querySelector(".stage")).height) - 3.5 * rem)),
			Scrolls: document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth,
		};
	})()`
	for _, at := range []string{"", "&scenario=ten-slots&t=10", "&lang=zh"} {
		p.open(s.url + "/?view=lab" + at)
		got := eval[shell](p, first)
		if len(got.Controls) > 30 || len(got.Controls) < 20 {
			t.Errorf("%q: %d controls are in view: %q", at, len(got.Controls), got.Controls)
		}
		if got.Picture < 0.6 || got.Lanes < 0.75 || got.Scrolls {
			t.Errorf("%q: the pictures have %.2f of the height, the lanes %.2f; the page scrolls: %v", at, got.Picture, got.Lanes, got.Scrolls)
		}
		for _, share := range got.Rings {
			if share < 0.95 || share > 2 {
				t.Errorf("%q: the wheels have %.2f of the room", at, got.Rings)
			}
		}
	}
	p.open(s.url + "/?view=lab&scenario=ten-slots&t=10")
	p.press("r")
	p.wait(`[...document.querySelectorAll(".unroll")].every((e) => e.querySelector(".wait") && e.querySelector(".cursor"))`)
	if got := eval[shell](p, first); len(got.Controls) > 30 || got.Picture < 0.6 || got.Scrolls {
		t.Errorf("unrolled: %d controls, the pictures have %.2f of the height; the page scrolls: %v", len(got.Controls), got.Picture, got.Scrolls)
	}
	for _, fault := range eval[[]string](p, `[...document.querySelectorAll(".lane")].filter((lane) => {
		const [picture, diagram, stage] = [".picture", ".unroll", ".stage"].map((part) => lane.querySelector(part).getBoundingClientRect());
		return picture.bottom > diagram.top || diagram.bottom > stage.bottom + 1 || picture.width < 0.95 * Math.min(stage.width, stage.height - 8 * 16);
	}).map((lane) => lane.dataset.lane)`) {
		t.Errorf("the diagram of %s covers its wheel or makes it too small", fault)
	}
	p.press("r")
	const places = `[...document.querySelectorAll(".bar, #lanes, .lane, .picture, .player")].map((e) => JSON.stringify(e.getBoundingClientRect())).join()`
	was := eval[string](p, places)
	for _, what := range []string{`[data-sheet="lanes-sheet"]`, `[data-sheet="workload-sheet"]`, `[data-sheet="branches-sheet"]`, `[data-sheet="share"]`, `[data-sheet="lectures"]`} {
		p.run(`document.querySelector('` + what + `').click()`)
		p.frames()
		if eval[string](p, places) != was {
			t.Errorf("%s moves or shrinks the lanes", what)
		}
		p.run(`document.querySelector('` + what + `').click()`)
	}
}

// TestNothingJumps plays and checks the positions of the player's controls and the lanes' cards:
// changing numbers move nothing.
func TestNothingJumps(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=crowded-slot")
	const places = `[...document.querySelectorAll("section[data-lane], .player button, .player > *, section[data-lane] .picture, [data-total], [data-cost]")]
		.map((e) => [e.dataset.lane ?? e.id ?? "", ...["left", "top", "width"].map((k) => Math.round(e.getBoundingClientRect()[k]))].join(" "))`
	p.run(`scrollTo(0, 0)`)
	was := eval[[]string](p, places)
	for _, tick := range []int64{5, 40, 111, 230} {
		p.run(fmt.Sprintf(`(() => { const s = document.getElementById("time"); s.value = %d; s.dispatchEvent(new Event("input")); s.dispatchEvent(new Event("change")); })()`, tick))
		p.atTick(tick)
		p.settle()
		for k, now := range eval[[]string](p, places) {
			if now != was[k] {
				t.Errorf("at tick %d %q is at the place where %q was", tick, now, was[k])
			}
		}
	}
}

// firstBytesMax bounds the first load, in bytes as transferred.
const firstBytesMax = 250_000

// TestFirstLoad adds up the bytes of the first page.
func TestFirstLoad(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab")
	type sent struct {
		Name  string
		Bytes int64
	}
	var total int64
	all := eval[[]sent](p, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map((e) => ({Name: e.name, Bytes: e.transferSize}))`)
	for _, e := range all {
		total += e.Bytes
	}
	if len(all) < 5 || total > firstBytesMax || total < 10_000 {
		t.Errorf("%d bytes are sent in %d answers, at most %d allowed: %v", total, len(all), firstBytesMax, all)
	}
	t.Logf("first load: %d bytes in %d answers", total, len(all))
}
