package e2e

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// readPage is an expression that returns what the page shows at its cursor: the picture of each
// lane, as elements and as pixels, its caption and its figures, the story and the table of costs.
// It waits until animations have ended.
const readPage = `(async () => {
	await Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {})));
	await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	const plain = (e) => { // an element as text, the dots in one order
		const attributes = [...e.attributes].map((a) => [a.name, a.value.replace(/ ?\bnew\b/, "")]).filter(([, v]) => v).map((a) => a.join("=")).sort();
		const children = [...e.children].map(plain).filter(Boolean);
		if (e.getAttribute("class") === "dots") children.sort();
		return e.localName === "g" && !children.length ? "" : "<" + [e.localName, ...attributes].join(" ") + ">" + (e.children.length ? "" : e.textContent.trim()) + children.join("");
	};
	const pixels = (canvas) => { // all colours
		const data = canvas.width ? canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data : [];
		let sum = 0;
		for (const value of data) sum = (sum * 31 + value) % 2147483647;
		return [canvas.width, canvas.height, sum].join();
	};
	const page = {};
	for (const s of document.querySelectorAll("section[data-lane]")) {
		const lane = s.dataset.lane;
		page[lane + " picture"] = [...s.querySelector(".picture > svg").children].map(plain).join("\n");
		page[lane + " pixels"] = pixels(s.querySelector(".picture canvas"));
		page[lane + " caption"] = s.querySelector("[data-caption]").textContent;
		page[lane + " figures"] = [...s.querySelectorAll("[data-total], [data-cost]")].map((e) => e.textContent).join(" ");
	}
	for (const id of ["story-where", "story-head", "story-why", "story-lines", "story-formula", "now"]) page[id] = document.getElementById(id)?.checkVisibility() ? document.getElementById(id).textContent : "";
	page.costs = [...document.querySelectorAll("#so-far tbody tr")].map((r) => r.textContent).join("\n");
	return page;
})()`

// way is a way to reach an instant.
type way struct {
	name string
	come func(p *tab, url string, tick int64)
}

var ways = []way{
	{"opened", func(p *tab, url string, tick int64) { p.open(fmt.Sprintf("%s&t=%d", url, tick)) }},
	{"sought from the start", func(p *tab, url string, tick int64) { p.open(url); p.seekTo(tick) }},
	{"sought from the end", func(p *tab, url string, tick int64) {
		p.open(url)
		p.press(kb.End)
		p.settle()
		p.seekTo(tick)
	}},
	{"a tick forward", func(p *tab, url string, tick int64) {
		p.open(fmt.Sprintf("%s&t=%d", url, tick-1))
		p.press(kb.ArrowRight)
	}},
	{"a tick back", func(p *tab, url string, tick int64) {
		p.open(fmt.Sprintf("%s&t=%d", url, tick+1))
		p.press(kb.ArrowLeft)
	}},
	{"an event back and forward", func(p *tab, url string, tick int64) {
		p.open(fmt.Sprintf("%s&t=%d", url, tick))
		p.press(",")
		p.settle()
		p.press(".")
		p.settle()
		p.seekTo(tick)
	}},
	{"reloaded", func(p *tab, url string, tick int64) {
		p.open(url)
		p.seekTo(tick)
		p.atTick(tick)
		p.settle()
		p.live(chromedp.Reload())
	}},
}

// seekTo moves the cursor with the slider.
func (p *tab) seekTo(tick int64) {
	p.Helper()
	p.run(fmt.Sprintf(`(() => { const time = document.getElementById("time"); time.value = %d; time.dispatchEvent(new Event("input", {bubbles: true})); time.dispatchEvent(new Event("change", {bubbles: true})); })()`, tick))
}

// TestSameInstantSamePage reaches random instants of three scenarios in all ways, in random order: the page always
// shows the same. The short form reaches each of six instants in two ways, which together are all ways.
func TestSameInstantSamePage(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	instants := 2
	if longForm() {
		instants = 8
	}
	next := 0 // way of the short form
	for _, c := range []struct {
		name   string
		ticks  []int64 // always tried
		before int64   // random ones are from 1 up to here
	}{{"three-slots", []int64{9}, 14}, {"cascade-storm", []int64{512}, 779}, {"request-timeouts", []int64{400}, 2000}} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(26, uint64(c.before)))
			p := newMovingTab(t)
			for k := range instants {
				tick := 1 + random.Int64N(c.before-1)
				if k < len(c.ticks) {
					tick = c.ticks[k]
				}
				chosen := random.Perm(len(ways))
				if !longForm() {
					chosen = []int{next % len(ways), (next + 1) % len(ways)}
					next += len(chosen)
				}
				p.sameAt(s.url+"/?view=lab&lang=en&scenario="+c.name, tick, chosen)
			}
		})
	}
}

// sameAt reaches a tick in the given ways and compares the page.
func (p *tab) sameAt(url string, tick int64, chosen []int) {
	p.Helper()
	var first map[string]string
	var how string
	for _, n := range chosen {
		ways[n].come(p, url, tick)
		p.atTick(tick)
		p.settle()
		got := eval[map[string]string](p, readPage)
		if first == nil {
			first, how = got, ways[n].name
		}
		for what, want := range first {
			if got[what] != want {
				p.Errorf("%s at tick %d, %s: %.600q\n%s: %.600q", what, tick, ways[n].name, got[what], how, want)
			}
		}
	}
}
