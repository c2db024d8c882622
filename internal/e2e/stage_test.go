package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

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
	const shows = (y) => e.closest(".line, .panel, .lane").contains(document.elementFromPoint(b.x + b.width / 2, y));
	return e && !(b.top >= 0 && shows(b.top + 2) && shows(b.bottom - 2));
})`

// TestHelp opens the dialog with the signs, the keys and links to other pages, by two keys and by its button.
func TestHelp(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3&lang=en")
	for _, open := range []func(){func() { p.press("h") }, func() { p.press("?") }, func() { p.button("Help: signs, keys, more pages") }} {
		open()
		p.wait(`document.getElementById("keys").open`)
		if items := eval[string](p, `["li", "dt", "a"].map((e) => document.querySelectorAll("#keys " + e).length > 2).join()`); items != "true,true,true" {
			t.Errorf("the signs, keys and links are there: %s", items)
		}
		p.press(kb.Escape)
		p.wait(`!document.getElementById("keys").open`)
	}
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
// of the first three levels, and every row has labels with the span of a slot and of a revolution, within the picture and not
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
	if (rings > 0 && lines.length !== 2 * Math.min(rings, 3)) faults.push(rings + " rings have " + lines.length + " lines");
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
