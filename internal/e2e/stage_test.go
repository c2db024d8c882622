package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// laid is the result of TestSizes: heights in per cent of the window's height, font sizes in
// pixels.
type laid struct {
	Stage   float64   // height of the large picture
	Gallery []float64 // heights of all pictures
	Player  float64   // height of the player in pixels
	Number  float64   // size of the smallest slot number in the large picture
	Below   float64   // pixels of the explanation that are covered by the player or the next element, or outside the window
	Figures float64   // pixels of the figures that are covered by the panel
	Lines   int       // number of lines of the large lane's figures
}

const measure = `(() => {
	const box = (e) => e.getBoundingClientRect();
	const share = (e) => 100 * box(e).height / innerHeight;
	const large = document.querySelector("[data-stage-picture]");
	const sizes = [...large?.querySelectorAll(".numbers text[data-slot]") ?? []].map((e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a);
	const parts = ["#story-head", "#story-formula:not([hidden])", "#story-code .ran"].map((which) => document.querySelector(which)).filter((e) => e);
	const next = document.querySelector("#story-next");
	const end = Math.min(box(document.querySelector(".player")).top, next.checkVisibility() && getComputedStyle(next).position === "sticky" ? box(next).top : Infinity);
	const panel = document.querySelector(".panel");
	const docked = getComputedStyle(panel).position === "sticky" && box(panel).width > innerWidth / 2 ? box(panel).top : Infinity;
	const tops = [...document.querySelectorAll(".lane.large .figures.main > div")].map((e) => Math.round(box(e).top));
	return {
		Stage: large ? share(large) : 0, Gallery: [...document.querySelectorAll(".picture")].map(share), Player: box(document.querySelector(".player")).height,
		Number: Math.min(99, ...sizes), Below: Math.max(...parts.map((e) => box(e).bottom - end)), Lines: new Set(tops).size,
		Figures: Math.max(0, ...[...document.querySelectorAll(".lane:is(.large, [data-layout=gallery] *) .figures.main dt")].map((e) => box(e).bottom - docked)),
	};
})()`

// TestSizes measures the page in windows of projectors and laptops: the pictures are large, the
// player is low, and nothing is truncated or covered.
func TestSizes(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	script := string(read(t, "layout.js"))
	type least struct{ stage, gallery, number float64 }
	wanted := map[size]least{{1024, 768}: {60, 38, 12}, {1366, 768}: {60, 45, 12}, {1440, 900}: {60, 45, 12}, {1920, 1080}: {60, 45, 16}}
	newTab(t).atSizes(s.url+"/?view=lab&", []size{{1024, 768}, {1366, 768}, {1440, 900}, {1920, 1080}}, []string{
		"scenario=cascade-storm&t=512&lang=en", "scenario=three-slots&t=3&lang=zh", "scenario=lateness&t=30&lang=en", "scenario=every-algorithm&t=6&lang=en&view=stage&lane=linux",
		"t=2&lang=en", "scenario=rounds-three&t=4&lang=zh", "scenario=kafka-ranges&t=5&lang=en",
	}, func(p *tab, at size, what string) {
		got, c := eval[laid](p, measure), wanted[at]
		if got.Stage == 0 {
			for _, high := range got.Gallery {
				if high < c.gallery {
					t.Errorf("%s: a picture has %.1f %% of the window's height", what, high)
				}
			}
		} else if got.Stage < c.stage || got.Number < c.number || got.Lines != 1 {
			t.Errorf("%s: the large picture has %.1f %% of the window's height, numbers of %.1f px, %d lines of figures", what, got.Stage, got.Number, got.Lines)
		}
		if got.Player > 96 {
			t.Errorf("%s: the player is %.0f px high", what, got.Player)
		}
		if got.Below > 0 || got.Figures > 0 {
			t.Errorf("%s: a part of the explanation is %.0f px under the player, figures %.0f px under the panel", what, got.Below, got.Figures)
		}
		for _, fault := range eval[[]string](p, fmt.Sprintf("(%s)(%d, %d)", script, clickWide, clickHigh)) {
			t.Errorf("%s: %s", what, fault)
		}
	})
}

// TestExplanationIsInSight opens both layouts in windows from a telephone to a wall: the sentence,
// the formula, the executed line and the picture are visible without scrolling.
func TestExplanationIsInSight(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	newTab(t).atSizes(s.url+"/?view=lab&", []size{{360, 740}, {768, 1024}, {1000, 768}, {3840, 2160}}, []string{
		"scenario=cascade-storm&t=512&lang=en", "scenario=cascade-storm&t=512&lang=zh", "t=2&lang=en", "t=2&lang=zh&view=stage",
	}, func(p *tab, _ size, what string) {
		if hidden := eval[[]string](p, outOfSight); len(hidden) > 0 {
			t.Errorf("%s: not in sight: %v", what, hidden)
		}
	})
}

// outOfSight lists the parts of the explanation, and the first picture, whose top or bottom is covered or outside the window.
const outOfSight = `["#story-head", "#story-formula:not([hidden])", "#story-code .ran", ".lane.large .picture, [data-layout=gallery] .picture"].filter((which) => {
	const e = document.querySelector(which);
	const b = e?.getBoundingClientRect();
	const shows = (y) => e.closest(".panel, .lane").contains(document.elementFromPoint(b.x + b.width / 2, y));
	return e && !(b.top >= 0 && shows(b.top + 2) && shows(b.bottom - 2));
})`

// TestLegend opens the legend over the page by its key and by its button.
func TestLegend(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3&lang=en")
	const open = `document.getElementById("legend").matches(":popover-open")`
	p.press("h")
	if items := eval[int](p, `document.querySelectorAll("#legend li").length`); items != 7 || !eval[bool](p, open) {
		t.Errorf("after h the legend is open: %v, with %d signs", eval[bool](p, open), items)
	}
	p.press(kb.ArrowRight)
	p.atTick(4)
	p.press("h")
	if eval[bool](p, open) {
		t.Error("after h again the legend is open")
	}
	p.button("Legend")
	p.wait(open)
	p.press(kb.Escape)
	p.wait("!" + open)
}

// large returns the id of the large lane; "" in the gallery.
func (p *tab) large() string {
	return eval[string](p, `[...document.querySelectorAll("[data-stage-picture]")].map((e) => e.closest("section").dataset.lane).join()`)
}

// TestStage selects the large lane by keys, by a click on a thumbnail and by the URL, which keeps
// the layout through a reload and in the other language.
func TestStage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3&lang=en")
	for _, c := range []struct{ key, want string }{{"", "simple"}, {"2", "rounds"}, {"j", "hierarchical"}, {"k", "rounds"}, {"k", "simple"}, {"k", "heap"}, {"v", ""}, {"v", "heap"}, {"9", "heap"}} {
		if c.key != "" {
			p.press(c.key)
		}
		if got := p.large(); got != c.want {
			t.Errorf("after %q %q is large, want %q", c.key, got, c.want)
		}
	}
	p.press(kb.ArrowRight)
	p.shows("with a lane large", builtin(t, "three-slots").atTick(t, 4))
	b := p.place(`[data-lane="sorted"]`)
	x, y := b.middle()
	p.do(chromedp.MouseClickXY(x, y))
	p.wait(`document.querySelector("[data-stage-picture]").closest("section").dataset.lane === "sorted"`)
	p.wait(`location.search.includes("view=stage") && location.search.includes("lane=sorted")`)
	p.live(chromedp.Reload())
	if got := p.large(); got != "sorted" {
		t.Errorf("after a reload %q is large", got)
	}
	p.live(chromedp.Click(chromedp.CSS("[data-lang-to=zh]")))
	if got := p.large(); got != "sorted" {
		t.Errorf("in the other language %q is large", got)
	}
	p.open(s.url + "/?scenario=three-slots&view=gallery")
	if got := p.large(); got != "" {
		t.Errorf("in the gallery %q is large", got)
	}
	p.open(s.url + "/?view=lab")
	if got := p.large(); got != "" {
		t.Errorf("of three lanes %q is large", got)
	}
}

// TestStageLeads steps to a tick in which several lanes work: the explanation is about the large
// lane.
func TestStageLeads(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, lane := range []string{"rounds", "levels-of-64"} {
		p.open(s.url + "/?scenario=cascade-storm&t=511&lang=en&view=stage&lane=" + lane)
		p.press(kb.ArrowRight)
		p.atTick(512)
		p.settle()
		if where := p.text("story-where"); !strings.HasSuffix(where, lane) {
			t.Errorf("%s is large, and the explanation is of %q", lane, where)
		}
	}
}

// TestNoShift steps through a run in both layouts: the layout does not shift by itself, and no card
// moves or changes its size.
func TestNoShift(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newMovingTab(t)
	for _, size := range [][2]int64{{1366, 768}, {360, 740}} {
		p.do(chromedp.EmulateViewport(size[0], size[1]))
		for _, layout := range []string{"stage", "gallery"} {
			p.open(s.url + "/?scenario=three-slots&lang=en&view=" + layout)
			p.run(`window.shifted = 0; new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) shifted += e.value; }).observe({type: "layout-shift"})`)
			const cards = `[...document.querySelectorAll(".card, .picture, .figures dd, .player > *")].map((e) => ["x", "y", "width", "height"].map((k) => Math.round(e.getBoundingClientRect()[k])).join()).join(";")`
			was := eval[string](p, cards)
			for range 14 {
				p.press(kb.ArrowRight)
				p.settle()
				if now := eval[string](p, cards); now != was {
					t.Fatalf("%v, %s: cards are at\n%s, were at\n%s", size, layout, now, was)
				}
			}
			if shift := eval[float64](p, `shifted`); shift >= 0.02 {
				t.Errorf("%v, %s: a layout shift of %.3f", size, layout, shift)
			}
		}
	}
}

// TestRingLabels reads the labels of the large picture, and of pictures side by side. Every ring
// and every row has labels with the span of a slot and of a revolution, within the picture and not
// over a number. If a picture is too small for them, the line above it has them.
func TestRingLabels(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.EmulateViewport(1366, 768))
	for k, at := range []string{"", "scenario=cascade-storm&lane=levels-of-64", "scenario=paper-clock", "scenario=kafka-ranges", "scenario=hundred-thousand&lane=distance", "scenario=every-algorithm&lane=tokio"} {
		langs := []string{"en", "zh"}
		if !longForm() { // every other scenario in the other language
			langs = langs[k%2 : k%2+1]
		}
		for _, lang := range langs {
			p.open(s.url + "/?view=stage&t=2&lang=" + lang + "&" + at)
			p.settle()
			for _, fault := range eval[[]string](p, fmt.Sprintf("(%s)(document.querySelector('[data-stage-picture] > svg'))", ringLabelFaults)) {
				t.Errorf("%s %s: %s", at, lang, fault)
			}
		}
	}
	const side = `[...document.querySelectorAll('.lane[data-shape="ring"]')].flatMap((lane) => {
		const faults = lane.querySelector("[data-spans]").checkVisibility() ? [] : (%s)(lane.querySelector(".picture > svg"));
		const text = lane.querySelector(".geometry").innerText + [...lane.querySelectorAll(".spans text, .row")].filter((e) => e.getBoundingClientRect().width > 0).map((e) => e.textContent).join(" ");
		return /(per slot.*per turn|每槽.*每圈)/s.test(text) ? faults : [...faults, "no spans: " + text];
	})`
	p.atSizes(s.url+"/?view=gallery&t=2&", []size{{1366, 768}, {1280, 800}, {1024, 768}, {360, 740}}, []string{
		"scenario=ten-slots&lang=en", "scenario=netty-mask&lang=en", "scenario=russellluo-early&lang=zh", "scenario=paper-clock&lang=en",
	}, func(p *tab, _ size, what string) {
		for _, fault := range eval[[]string](p, fmt.Sprintf(side, ringLabelFaults)) {
			t.Errorf("%s: %s", what, fault)
		}
	})
}

// ringLabelFaults lists the rings and rows of a picture without labels, and labels that are cut or covered.
const ringLabelFaults = `(svg) => {
	const picture = svg.getBoundingClientRect();
	const rings = svg.querySelectorAll(".frame circle.hole").length, lines = [...svg.querySelectorAll(".spans text")];
	const rows = [...svg.querySelectorAll(".numbers text.row:not(.word)")];
	const faults = rings === 0 && rows.length === 0 ? ["neither rings nor rows"] : [];
	if (rings > 0 && lines.length !== 2 * rings) faults.push(rings + " rings have " + lines.length + " lines");
	for (const row of rows) if (!/([nµm]?s|min|h|d) per slot, .* per turn|每槽.*，每圈/.test(row.textContent) || !row.querySelector(".turn").getBoundingClientRect().width) faults.push("a row is labelled " + row.textContent);
	const numbers = [...svg.querySelectorAll(".numbers text[data-slot], .numbers text.word")];
	for (const line of [...lines, ...rows]) {
		const b = line.getBoundingClientRect();
		if (b.width === 0 || b.left < picture.left || b.right > picture.right) faults.push("outside: " + line.textContent);
		for (const number of numbers) {
			const n = number.getBoundingClientRect();
			if (Math.min(b.right, n.right) - Math.max(b.left, n.left) > -4 && Math.min(b.bottom, n.bottom) - Math.max(b.top, n.top) > 0.4 * n.height) faults.push(line.textContent + " covers or touches " + number.textContent);
		}
	}
	for (const lead of svg.querySelectorAll(".spans path")) {
		for (let k = 0; k <= 20; k++) {
			const at = lead.getPointAtLength(lead.getTotalLength() * k / 20).matrixTransform(lead.getScreenCTM());
			for (const number of svg.querySelectorAll('.numbers text[data-level="0"]')) {
				const n = number.getBoundingClientRect();
				if (at.x > n.left && at.x < n.right && at.y > n.top + n.height / 4 && at.y < n.bottom - n.height / 4) faults.push("a line crosses " + number.textContent);
			}
		}
	}
	return faults;
}`
