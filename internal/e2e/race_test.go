package e2e

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestRace moves the slider of the race by keyboard, plays it, and reads figures, sentence and URL. Nothing scrolls, and
// axe finds no violation, in four sizes.
func TestRace(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.Navigate(s.url + "/?view=race&n=1000"))
	p.wait(`document.querySelector(".bar")`)
	const figures = `[...document.querySelectorAll("[data-row] [data-column=schedule] .figure")].map((e) => e.textContent).join(" ")`
	if got := eval[string](p, figures); got != "1 1 2 2.7 671" {
		t.Errorf("units of a schedule with 1,000 timers: %s", got)
	}
	p.run(`const slider = document.getElementById("n"); slider.value = 32; slider.dispatchEvent(new Event("input")); slider.dispatchEvent(new Event("change"))`)
	if got := eval[string](p, `document.getElementById("shown").textContent + "|" + location.search + "|" + document.getElementById("say").textContent`); got != "100,000 timers|?view=race&n=100000|A wheel with levels takes 7 units in a mean tick, and 12,378 in the worst." {
		t.Error(got)
	}
	if got := eval[string](p, figures); got != "at most 65,536 slots 1 3 2.3 at most 20,000 timers" {
		t.Errorf("units of a schedule with 100,000 timers: %s", got)
	}
	p.do(chromedp.Click("#play"))
	p.wait(`document.querySelector("#play.on") && document.getElementById("shown").textContent.startsWith("56 ")`)
	p.do(chromedp.Click("#play"))
	p.wait(`!document.querySelector("#play.on") && new URLSearchParams(location.search).get("n") !== "100000"`)
	p.do(chromedp.Navigate(s.url + "/?view=lab&scenario=ten-slots"))
	p.wait(`document.getElementById("race-link").href.includes("run=")`)
	p.do(chromedp.Navigate(eval[string](p, `document.getElementById("race-link").href + "&n=10"`)))
	p.wait(`document.querySelector("[data-row=levels] .figure")?.textContent === "1.5"`)
	if got := eval[string](p, `[...document.querySelectorAll("[data-row]")].map((e) => e.querySelector("th").textContent.trim()).join("|")`); got != "Simple wheel beyond its range or capacity|Wheel with rounds 10 slots · 3 kB|Hierarchical wheel · levels 20 slots · 3 kB" {
		t.Errorf("lanes of a scenario: %s", got)
	}
	p.do(chromedp.Navigate(s.url + "/?view=lab&scenario=heartbeats"))
	p.wait(`document.getElementById("race-link").href.includes("run=")`)
	p.do(chromedp.Navigate(eval[string](p, `document.getElementById("race-link").href + "&n=10"`)))
	p.wait(`/^Heap [0-9.]+ [kM]?B$/.test(document.querySelector("[data-row=heap] th")?.textContent.trim())`)
	for _, v := range []view{{1366, 768, "light", "en"}, {1920, 1080, "dark", "zh"}, {1024, 768, "dark", "en"}, {390, 844, "light", "zh"}} {
		p := newTab(t)
		p.look(v)
		p.do(chromedp.Navigate(s.url + "/race?n=10000&lang=" + v.lang))
		p.wait(`document.querySelector(".bar")`)
		if over := eval[string](p, `[document.documentElement, document.body].filter((e) => e.scrollHeight > innerHeight || e.scrollWidth > innerWidth).map((e) => e.localName).join()`); over != "" {
			t.Errorf("%d×%d: %s scrolls", v.wide, v.high, over)
		}
		p.run(string(script))
		p.axe(fmt.Sprintf("%d×%d", v.wide, v.high))
	}
}
