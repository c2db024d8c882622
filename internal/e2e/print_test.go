package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestPaperIsLight prints a page in dark colours: its text is dark on white, as in the light theme,
// and the story ends within its frame.
func TestPaperIsLight(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, theme := range []string{"auto", "dark", "contrast"} {
		p.look(view{1440, 900, "dark", "en"})
		p.open(s.url + "/?view=lab&scenario=three-slots&t=3&lang=en")
		p.run(`document.querySelector("#theme-menu [value=` + theme + `]").click()`)
		p.media("print", feature{"prefers-color-scheme", "dark"})
		if got := eval[string](p, `(({backgroundColor}, {color}, {fill}) => [backgroundColor, color, fill].join(" "))(`+
			`getComputedStyle(document.body), getComputedStyle(document.querySelector(".lane h2")), getComputedStyle(document.querySelector("[data-lane=heap] text.clock")))`); got != "rgb(255, 255, 255) rgb(22, 32, 46) rgb(22, 32, 46)" {
			t.Errorf("%s: paper, title and time are %s", theme, got)
		}
		if below := eval[float64](p, `document.querySelector(".so-far").getBoundingClientRect().bottom - document.querySelector(".panel").getBoundingClientRect().bottom`); below > 0 {
			t.Errorf("%s: the costs end %v px below their frame", theme, below)
		}
	}
}

// TestPaperHasNoControls prints both layouts: there are no buttons, and the question is complete.
func TestPaperHasNoControls(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.media("print")
	for _, at := range []string{"scenario=three-slots&t=3", "scenario=cascade-storm&t=512"} {
		p.open(s.url + "/?view=lab&lang=en&" + at)
		if seen := eval[[]string](p, `[...document.querySelectorAll("button, select, input")].filter((e) => e.checkVisibility()).map((e) => e.id || e.className)`); len(seen) > 0 {
			t.Errorf("%s: controls on paper: %v", at, seen)
		}
		if whole := eval[bool](p, `((e) => e.checkVisibility() && e.scrollHeight <= e.clientHeight + 1)(document.getElementById("question"))`); !whole {
			t.Errorf("%s: the question is cut or missing", at)
		}
	}
}

// TestPrintOfCanvases prints crowded lanes in dark colours: their canvases are drawn in the colours
// of the light theme, and the page is unchanged afterwards.
func TestPrintOfCanvases(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.look(view{1440, 900, "dark", "en"})
	p.open(s.url + "/?view=lab&scenario=hundred-thousand&t=3000&lang=en")
	const drawn = `[...document.querySelectorAll(".picture canvas")].map((c) => c.toDataURL()).join()`
	shows := func(theme string) string {
		p.run(`document.querySelector("#theme-menu [value=` + theme + `]").click()`)
		p.settle()
		return eval[string](p, drawn)
	}
	light, contrast := shows("light"), shows("contrast")
	p.run(`addEventListener("beforeprint", () => { window.printed = ` + drawn + `; })`)
	if _, err := chromedp.Call(p.ctx, page.PrintToPDF, page.PrintToPDFParams{}); err != nil {
		t.Fatal(err)
	}
	p.settle()
	if light == contrast || eval[string](p, `window.printed`) != light {
		t.Errorf("what is printed is not in the colours of paper")
	}
	if eval[string](p, drawn) != contrast || eval[string](p, `document.documentElement.dataset.theme`) != "contrast" {
		t.Error("after a print the page is not as it was")
	}
}
