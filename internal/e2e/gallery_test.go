package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/wheelscope/wheelscope/sim/library"
)

// shownScenarios is an expression for the names of the scenarios that the list shows.
const shownScenarios = `[...document.querySelectorAll("#gallery [data-scenario]")].filter((e) => e.checkVisibility()).map((e) => e.dataset.scenario)`

// TestGallery searches the page of scenarios while typing, moves by keyboard, and opens a scenario.
func TestGallery(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.Navigate(s.url + "/scenarios?lang=en"))
	p.wait(`document.getElementById("gallery-count").textContent`)
	if n, pictures := len(eval[[]string](p, shownScenarios)), eval[int](p, `document.querySelectorAll("#gallery .thumb svg .frame").length`); n != len(library.Builtins()) || pictures != n {
		t.Errorf("%d scenarios and %d pictures, want %d", n, pictures, len(library.Builtins()))
	}
	p.press("/")
	p.wait(`document.activeElement.id === "gallery-search"`)
	p.fill("gallery-search", "kafka clock")
	p.wait(`document.getElementById("gallery-search").value === "kafka clock"`)
	if !slices.Contains(eval[[]string](p, shownScenarios), "kafka-stale-clock") {
		t.Errorf("found %v", eval[[]string](p, shownScenarios))
	}
	for _, name := range eval[[]string](p, shownScenarios) {
		if strings.HasPrefix(name, "redis") {
			t.Errorf("%s has no clock of Kafka", name)
		}
	}
	p.fill("gallery-search", "nothing is called that")
	p.wait(`document.getElementById("gallery-none").checkVisibility()`)
	p.fill("gallery-search", "crowded")
	p.press(kb.ArrowDown)
	p.wait(`document.activeElement.dataset.scenario === "crowded-slot"`)
	p.press(kb.ArrowUp)
	p.wait(`document.activeElement.id === "gallery-search"`)
	p.press("\r")
	p.wait(`location.search.includes("scenario=crowded-slot") && document.querySelector("main")?.dataset.now`)
}

// TestScenarioPicker opens the dialog of scenarios in the lab by keyboard, at three widths, and a scenario from it.
func TestScenarioPicker(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, v := range []view{{360, 740, "light", "en"}, {1366, 768, "dark", "zh"}, {1920, 1080, "light", "en"}} {
		p.look(v)
		p.open(s.url + "/?view=lab&scenario=three-slots&lang=" + v.lang)
		p.run(`document.getElementById("scenario").focus()`)
		p.press("\r")
		p.wait(`document.querySelector("#picker[open] #gallery-search") === document.activeElement`)
		if current := eval[string](p, `document.querySelector("#picker [aria-current]").dataset.scenario`); current != "three-slots" {
			t.Errorf("%v: %s is marked", v, current)
		}
		if wide := eval[float64](p, `Math.max(...[...document.querySelectorAll("#picker, #picker *")].map((e) => e.getBoundingClientRect().right)) - innerWidth`); wide > 1 {
			t.Errorf("%v: it reaches %v px beyond the window", v, wide)
		}
		p.run(string(read(t, "axe/axe.min.js")))
		p.axe("the picker " + v.String())
		p.press("storm")
		p.wait(shownScenarios + `.join() === "cascade-storm"`)
		p.press(kb.ArrowDown)
		p.press("\r")
		p.wait(`location.search.includes("scenario=cascade-storm") && document.getElementById("scenario")?.dataset.scenario === "cascade-storm"`)
	}
}

// TestAxeInGallery checks the page of scenarios with axe-core.
func TestAxeInGallery(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, v := range []view{{390, 844, "light", "zh"}, {1440, 900, "dark", "en"}} {
		p.look(v)
		p.do(chromedp.Navigate(s.url + "/scenarios?lang=" + v.lang))
		p.wait(`document.getElementById("gallery-count").textContent`)
		p.run(string(read(t, "axe/axe.min.js")))
		p.axe("scenarios " + v.String())
	}
}
