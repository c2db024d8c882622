package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// violation is a violation of a rule of axe-core.
type violation struct {
	ID, Help string
	Nodes    []string // where, and why
}

// runAxe returns, in the page, the violations of the visible elements of a context.
const runAxe = `axe.run(%s, {resultTypes: ["violations"]}).then((result) => result.violations.map((v) => ({
	ID: v.id, Help: v.help, Nodes: v.nodes.slice(0, 5).map((n) => n.target.join(" ") + ": " + n.failureSummary.replace(/\s+/g, " ")),
})))`

// axe fails the test for every violation in the page's current state.
func (p *tab) axe(what string) {
	p.Helper()
	p.axeContext("document", what)
}

// axePart is like axe for a state in which a part of the page, given by a selector, differs from a
// state that was checked before. It checks only the part, unless first is true, which means that the
// tab is the first of several that show the same states, or that the tests run in their long form.
func (p *tab) axePart(first bool, part, what string) {
	p.Helper()
	if first || longForm() {
		p.axe(what)
		return
	}
	p.axeContext(quote(part), what)
}

func (p *tab) axeContext(context, what string) {
	p.Helper()
	for _, v := range eval[[]violation](p, fmt.Sprintf(runAxe, context)) {
		p.Errorf("%s: %s (%s)\n  %s", what, v.Help, v.ID, strings.Join(v.Nodes, "\n  "))
	}
}

// TestAxe checks the page with axe-core: at rest, with errors and a followed timer, and with the
// list of keys open; in both languages, colours and two sizes in the long form, once in the
// short form.
func TestAxe(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t)
	for k, v := range some(1,
		view{1440, 900, "dark", "zh"}, view{390, 844, "light", "en"}, view{1440, 900, "light", "en"}, view{390, 844, "dark", "zh"},
		view{390, 844, "dark", "en"}, view{390, 844, "light", "zh"}, view{1440, 900, "dark", "en"}, view{1440, 900, "light", "zh"}) {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t)
			p.look(v)
			p.open(s.url + "/?view=lab&scenario=three-slots&t=3&lang=" + v.lang)
			p.run(string(script))
			p.axe("at rest")
			p.press("f")
			p.run(`document.querySelector("#add button").click()`)
			p.wait(`document.querySelector("[aria-invalid]")`)
			p.upload(t.TempDir()+"/broken.json", "{")
			p.wait(`!document.getElementById("problem").hidden`)
			p.settle()
			p.axe("with errors and a followed timer")
			p.run(`document.activeElement.blur()`)
			p.press("?")
			p.wait(`document.querySelector("dialog[open]")`)
			p.axePart(k == 0, "dialog[open]", "with the list of keys")
			p.press(kb.Escape)
		})
	}
}

// TestAxeWithManyTimers checks the page with many timers: small dots, heat map, long tables.
func TestAxeWithManyTimers(t *testing.T) {
	soak(t)
	t.Parallel()
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t)
	p := newTab(t)
	for _, at := range some(1, "crowded-slot&t=40", "heartbeats&t=300") {
		p.open(s.url + "/?view=lab&scenario=" + at)
		p.run(string(script))
		p.axe(at)
	}
}

// TestAxeOnViews checks other views of lanes: one large lane, the turning dial, the card of a slot,
// wheels in rows, and queues below their pictures.
func TestAxeOnViews(t *testing.T) {
	soak(t)
	t.Parallel()
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, "testdata/catalogue.json")
	p := newTab(t)
	for k, v := range []view{{1440, 900, "light", "en"}, {390, 844, "dark", "zh"}} {
		p.look(v)
		p.open(s.url + "/?view=lab&t=60&lang=" + v.lang)
		p.run(string(script))
		p.axe("rows and queues")
		p.press("s")
		p.wait(`!document.querySelector(".slot-card").hidden`)
		p.axePart(k == 0, ".slot-card", "a slot's card")
		p.press(kb.Escape)
		p.press("7")
		p.press("d")
		p.wait(`document.querySelector(".lane.large")`)
		p.axePart(k == 0, ".lane.large", "a lane large, the dial turning")
	}
}
