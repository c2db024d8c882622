package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// branch clicks the branch whose label contains a text.
func (p *tab) branch(words string) {
	p.Helper()
	p.run(fmt.Sprintf(`[...document.querySelectorAll(".branch")].find((b) => b.textContent.includes(%s)).click()`, quote(words)))
}

// TestBranches edits twice at one position, and switches between the results; names and branches
// survive a reload and another server.
func TestBranches(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	one := map[string]any{"at": 2, "op": "schedule", "timer": "one", "delay": 4}
	two := map[string]any{"at": 2, "op": "schedule", "timer": "two", "delay": 5}
	root := builtin(t, "three-slots").atTick(t, 2)
	withOne, withTwo := edited(t, "three-slots", one).atTick(t, 2), edited(t, "three-slots", two).atTick(t, 2)
	p.add("one", "4", "", "")
	p.becomes("the first branch", withOne)
	p.run(`document.activeElement.blur()`)
	p.press("u")
	p.becomes("undone", root)
	p.add("two", "5", "", "")
	p.becomes("the second branch", withTwo)

	p.button("Branches (3)")
	p.wait(`document.querySelectorAll("[data-branch]").length === 3`)
	p.branch("add one at 2")
	p.becomes("the first branch again", withOne)
	p.wait(`document.querySelector(".branch[aria-current]")?.textContent.includes("add one at 2")`)
	p.button("Name the branch “add one at 2”")
	p.press("before the storm" + kb.Enter)
	p.wait(`document.querySelector(".branch[aria-current]")?.textContent.includes("before the storm")`)
	p.wait(`location.search.includes("mine=")`)

	p.live(chromedp.Reload())
	p.becomes("reloaded", withOne)
	p.button("Branches (3)")
	p.wait(`document.querySelectorAll(".branch").length === 3`)
	p.branch("add two at 2")
	p.becomes("the second branch after a reload", withTwo)
	p.wait(`localStorage.getItem("wheelscope.mine." + new URLSearchParams(location.search).get("mine")) !== null`)

	p.forgive("ERR_CONNECTION_REFUSED")
	p.forgive("WebSocket connection to")
	p.forgive("404") // another server doesn't know the page's session
	s.stop(t)
	serveAt(t, s.addr())
	p.wait(`!document.getElementById("link").checkVisibility() || document.getElementById("link").textContent.includes("again.")`)
	p.becomes("with another server", withTwo)
	p.branch("before the storm")
	p.becomes("the first branch on another server", withOne)
	p.button("Delete the branch “add two at 2”")
	p.wait(`document.querySelectorAll(".branch").length === 2`)
	p.branch("Three slots")
	p.becomes("where it all began", root)
}

// testBranchesInTwoTabs edits in one tab: a second tab of the browser lists the branch.
func testBranchesInTwoTabs(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=three-slots&t=2")
	other := p.beside()
	other.open(base + "/?view=lab&scenario=three-slots&t=2")
	p.inFront()
	p.add("one", "4", "", "")
	p.wait(`location.search.includes("mine=")`)
	other.inFront()
	other.wait(`document.querySelector("[data-sheet=branches-sheet]").textContent.includes("2")`)
	other.button("Branches (2)")
	other.wait(`document.querySelectorAll(".branch").length === 2`)
	other.branch("add one at 2")
	other.becomes("the other tab's branch", edited(t, "three-slots", map[string]any{"at": 2, "op": "schedule", "timer": "one", "delay": 4}).atTick(t, 2))
}

// beside opens a second tab with the storage of the first.
func (p *tab) beside() *tab {
	p.Helper()
	ctx, cancel := chromedp.NewContext(chromium, chromedp.WithExistingBrowserContext(chromedp.FromContext(p.ctx).BrowserContextID))
	q := &tab{TB: p.TB, ctx: ctx}
	p.Cleanup(func() { q.report(); cancel() })
	if err := chromedp.Listen(ctx, q.watch); err != nil {
		p.Fatal(err)
	}
	q.atStart(noServiceWorker)
	return q
}

// inFront brings a tab to the front: a tab in the background draws nothing.
func (p *tab) inFront() {
	p.Helper()
	if _, err := chromedp.Call(p.ctx, page.BringToFront, cdp.Empty{}); err != nil {
		p.Fatal(err)
	}
}

// testReset resets and replaces a timer by hand.
func testReset(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=three-slots&t=2")
	p.run(`document.getElementById("tab-timer").click()`)
	op := func(name, timer, delay, button string) {
		t.Helper()
		p.run(fmt.Sprintf(`(() => { const o = document.getElementById("add-op"); o.value = %s; o.dispatchEvent(new Event("change")); })()`, quote(name)))
		p.fill("add-timer", timer)
		if delay != "" {
			p.fill("add-delay", delay)
		}
		p.button(button)
	}
	reset := map[string]any{"at": 2, "op": "reset", "timer": "task2", "delay": 6}
	op("reset", "task2", "6", "Reset")
	p.becomes("a timer reset", edited(t, "three-slots", reset).atTick(t, 2))
	set := map[string]any{"at": 2, "op": "set", "timer": "task3", "delay": 3}
	op("set", "task3", "3", "Replace")
	p.becomes("a timer replaced", edited(t, "three-slots", reset, set).atTick(t, 2))
	op("cancel", "task3", "", "Cancel timer")
	p.becomes("a timer cancelled", edited(t, "three-slots", reset, set, map[string]any{"at": 2, "op": "cancel", "timer": "task3"}).atTick(t, 2))
	op("reset", "nobody", "6", "Reset")
	p.wait(`document.getElementById("add-timer-error").textContent.includes("never scheduled")`)
}

// TestNamesAreOnlyNames gives a timer a name that contains markup, and one that is too long: the
// first is shown as text, the second refused.
func TestNamesAreOnlyNames(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2&lang=zh")
	markup := `<img src=x onerror=alert(1)><b>“&amp;`
	in := edited(t, "three-slots", map[string]any{"at": 2, "op": "schedule", "timer": markup, "delay": 4})
	p.addZH(markup)
	p.becomes("a name of markup", in.atTick(t, 2))
	if n := eval[int](p, `document.querySelectorAll("main img, main b img").length`); n != 0 {
		t.Error("the name became an element")
	}
	was := p.shown()
	p.run(`document.getElementById("add-timer").maxLength = 20000`)
	p.addZH(strings.Repeat("长", 10000))
	p.wait(`document.getElementById("add-timer-error").textContent.includes("超出名字上限 256")`)
	compareShown(t, "after a long name", p.shown(), was)
}

// addZH adds a timer in the Chinese page, with its name set at once.
func (p *tab) addZH(name string) {
	p.Helper()
	p.run(`document.getElementById("tab-timer").click()`)
	p.run(`document.getElementById("add-timer").value = ` + quote(name))
	p.fill("add-delay", "4")
	p.button("添加")
}
