package e2e

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// axeSharing checks the dialogs of a shared URL and of a refused file.
func (p *tab) axeSharing(first bool) {
	p.Helper()
	p.forgive("422")
	p.press("a")
	p.wait(`document.querySelector("#share[open]") && document.getElementById("share-said").textContent`)
	p.axePart(first, "#share", "the address")
	p.run(`document.querySelector("#share [data-close-sheet]").click()`)
	p.upload(p.TempDir()+"/bad.csv", "at,op,id,delay\n0,schedule,a,soon\n")
	p.wait(`document.querySelector("#import[open] .faults")`)
	p.axePart(first, "#import", "a file's faults")
	p.run(`document.querySelector("#import [data-close-sheet]").click()`)
}

// TestAxeInPanesAndThemes checks the views that are opened on demand with axe-core, in each theme.
func TestAxeInPanesAndThemes(t *testing.T) {
	soak(t)
	t.Parallel()
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t)
	type look struct {
		theme, lang string
		v           view
	}
	for k, c := range some(2,
		look{"contrast", "zh", view{1440, 900, "light", "zh"}}, look{"light", "en", view{390, 844, "light", "en"}},
		look{"dark", "zh", view{1440, 900, "dark", "zh"}},
		look{"light", "en", view{1440, 900, "light", "en"}}, look{"contrast", "en", view{1440, 900, "light", "en"}}) {
		t.Run(c.v.String()+" "+c.theme, func(t *testing.T) {
			p := newTab(t)
			p.look(c.v)
			p.open(s.url + "/?view=lab&scenario=migration&t=10&lang=" + c.lang)
			p.run(`document.querySelector("#theme-menu [value=` + c.theme + `]").click()`)
			p.run(string(script))
			p.axe("the lanes")
			p.press("c")
			p.wait(`document.querySelector(".compare-table tbody tr") && document.querySelectorAll("#plots canvas").length === 3`)
			p.axePart(k == 0, "#compare", "the comparison")
			p.press("c")
			p.axeSharing(k == 0)
			p.press("l")
			p.wait(`document.querySelectorAll(".lecture-pick").length === 2`)
			p.run(`document.querySelector("[data-lecture-do=add]").click()`)
			p.wait(`document.querySelector(".lecture-maker li details[open]")`)
			p.axePart(k == 0, "#lectures", "the lectures")
			p.run(`document.querySelector("#lectures [data-close-sheet]").click(); document.activeElement.blur()`)
			p.press("q")
			p.wait(openQuestion)
			p.run(`document.getElementById("theme").click()`)
			p.axePart(k == 0, "#ask, #ask-bar, .asked, #theme-menu", "a question and the menu of themes")
			p.press(kb.Escape)
		})
	}
}
