package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// themes are the colours that a page can be shown in.
var themes = []string{"light", "dark", "contrast"}

// axeThemes checks the page with all rules in the theme it has, and its contrasts in the other ones. A theme is an
// attribute, so that the page is loaded once.
func (p *tab) axeThemes(what string) {
	p.Helper()
	if !eval[bool](p, `typeof axe === "object"`) {
		p.run(string(read(p, "axe/axe.min.js")))
	}
	p.axe(what)
	was := eval[string](p, `document.documentElement.dataset.theme ?? ""`)
	checked := eval[string](p, `document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")`)
	const contrasts = `axe.run(document, {runOnly: ["color-contrast"], resultTypes: ["violations"]}).then((result) => result.violations.flatMap((v) => v.nodes.slice(0, 5).map((n) => n.target.join(" ") + ": " + n.failureSummary.replace(/\s+/g, " "))))`
	for _, theme := range themes {
		if theme == checked {
			continue
		}
		p.run(fmt.Sprintf(`document.documentElement.dataset.theme = %q`, theme))
		for _, low := range eval[[]string](p, contrasts) {
			p.Errorf("%s, %s: %s", what, theme, low)
		}
	}
	p.run(fmt.Sprintf(`if (%[1]q) document.documentElement.dataset.theme = %[1]q; else delete document.documentElement.dataset.theme`, was))
}

// TestAxeInEveryView checks each view in each theme and language: the stage and the gallery of the lab, an embedded lab, the comparison, the article, the lists of scenarios and algorithms, and the page of tasks on Redis. Panes,
// dialogs, tabs and the page of a running program have tests of their own. The short form checks what no other test does.
func TestAxeInEveryView(t *testing.T) {
	soak(t)
	t.Parallel()
	redis := redistest.Embedded(t).Options().Addr
	command(t, nil, "task", "add", "order-7", "http://127.0.0.1/remind", "--in", "1h", "--redis", redis)
	s := serve(t, "--redis", redis)
	type shown struct{ name, path, when string }
	for k, v := range some(3,
		shown{"stage", "/?scenario=cascade-storm&t=512&view=stage", `document.querySelector("[data-stage-picture] .flows")`},
		shown{"embed", "/?scenario=three-slots&t=3&embed=1", `document.querySelector("main").dataset.settled === "true"`},
		shown{"tasks", "/worker", `document.querySelector(".worker-figures")`},
		shown{"gallery", "/?scenario=three-slots&t=3&view=gallery", `document.querySelector("main").dataset.settled === "true"`},
		shown{"compare", "/?view=lab&scenario=migration&t=10", `document.querySelector(".compare-table tbody tr")`},
		shown{"learn", "/learn", `document.querySelectorAll("section.chapter[id]").length === 6`},
		shown{"scenarios", "/scenarios", `document.getElementById("gallery-count").textContent`},
		shown{"algorithms", "/algorithms", `document.querySelector(".algorithms tbody tr")`},
		shown{"algorithm", "/algorithms/hierarchical", `document.querySelector(".pseudo li")`}) {
		langs := []string{"en", "zh"}
		if !longForm() { // every other view in the other language
			langs = langs[k%2 : k%2+1]
		}
		for _, lang := range langs {
			p := newTab(t)
			p.do(chromedp.EmulateViewport(1366, 768))
			p.do(chromedp.Navigate(s.url + address(v.path, lang)))
			if v.name == "compare" {
				p.settle()
				p.press("c")
			}
			p.wait(v.when)
			p.axeThemes(v.name + " " + lang)
		}
	}
}

// address returns a path with a language.
func address(path, lang string) string {
	if path[1] == '?' {
		return path + "&lang=" + lang
	}
	return path + "?lang=" + lang
}
