package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// contains reports whether a text has all parts.
func contains(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

// slotCard returns the text of the card about a slot, "" if there is none.
func (p *tab) slotCard() string {
	p.Helper()
	return eval[string](p, `(() => { const e = document.querySelector(".slot-card"); return e && !e.hidden ? e.innerText : ""; })()`)
}

// TestSlotsByKeyboard goes through slots without a mouse: open, next, next with timers, close; the
// focus returns to where it was.
func TestSlotsByKeyboard(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3")
	p.run(`document.getElementById("play").focus()`)
	p.press("s")
	p.wait(`document.querySelector(".slot-card.pinned:not([hidden])")`) // its scripts are fetched first
	if got := p.slotCard(); !contains(got, "simple: slot 0", "due at 6", "t = 6, in 3 ticks", "No timer is pending here") {
		t.Fatalf("the card says %q", got)
	}
	p.press(kb.Enter) // the focus is on the button to the next slot
	if got := p.slotCard(); !contains(got, "simple: slot 1") {
		t.Errorf("after the next slot the card says %q", got)
	}
	p.button("Next slot that holds timers")
	if got := p.slotCard(); !contains(got, "simple: slot 2", "task5 due at 5") {
		t.Errorf("after the next slot that holds timers the card says %q", got)
	}
	p.press(kb.Escape)
	if got := p.slotCard(); got != "" {
		t.Errorf("after Escape the card is still there: %q", got)
	}
	if got := eval[string](p, `document.activeElement.id`); got != "play" {
		t.Errorf("the focus is on %q", got)
	}
}

// TestSlotsByMouse points at one of 4,096 slots, pins the card by a click, and closes it.
func TestSlotsByMouse(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?scenario=hundred-thousand&t=2000&view=stage&lane=rounds")
	at := eval[[]float64](p, `(() => { const b = document.querySelector("[data-lane=rounds] .picture > svg").getBoundingClientRect();
		return [b.left + b.width * (200 + 120) / 400, b.top + b.height / 2]; })()`) // a quarter of a revolution
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
	p.wait(`document.querySelector(".slot-card") && !document.querySelector(".slot-card").hidden`)
	if got := p.slotCard(); !contains(got, "rounds: slot 1024", "every 4096 ticks") {
		t.Errorf("pointing a quarter of the way round, the card says %q", got)
	}
	p.do(chromedp.MouseClickXY(at[0], at[1]))
	p.wait(`document.querySelector(".slot-card").classList.contains("pinned")`)
	slot := func() int { // clicks have whole pixels, so this one may hit the neighbouring slot
		return eval[int](p, `+document.querySelector(".slot-card h2").textContent.split(" ").at(-1)`)
	}
	kept := slot()
	p.button("Next slot")
	if got := slot(); kept < 1020 || kept > 1028 || got != kept+1 {
		t.Errorf("a click keeps slot %d, the next is shown as %d", kept, got)
	}
	wide := eval[int](p, `document.querySelectorAll(".slot-card .cell").length`)
	p.button("Show fewer slots, larger")
	if got := eval[int](p, `document.querySelectorAll(".slot-card .cell").length`); got >= wide {
		t.Errorf("of %d slots %d are left when they are made larger", wide, got)
	}
	p.button("Close")
	if got := p.slotCard(); got != "" {
		t.Errorf("the card is still there: %q", got)
	}
}

// TestSlotsWithoutTheirScript clicks on a ring while the card's script is unavailable: it is
// requested once, and again with the next click.
func TestSlotsWithoutTheirScript(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.forgive("request failed: Script")
	p.forgive("slot-card-")
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2&lang=en")
	block := func(list ...*network.BlockPattern) {
		t.Helper()
		if _, err := chromedp.Call(p.ctx, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: list}); err != nil {
			t.Fatal(err)
		}
	}
	const click = `document.querySelector("[data-shape=ring] .picture > svg").dispatchEvent(new PointerEvent("click", {bubbles: true, clientX: 5, clientY: 5}))`
	block(&network.BlockPattern{URLPattern: "*://*:*/*/slot-card-*.js", Block: true})
	p.run(`(() => { window.asked = 0; new PerformanceObserver((list) => { asked += list.getEntries().filter((e) => e.name.includes("/slot-card-")).length; }).observe({type: "resource"}); })()`)
	p.run(click)
	p.wait(`asked > 0`)
	p.run(`new Promise((done) => setTimeout(done, 300))`)
	if n := eval[int](p, `asked`); n != 1 {
		t.Errorf("asked for %d times after one click", n)
	}
	block()
	p.run(`document.querySelector("[data-shape=ring] [data-view=slots]").click()`)
	p.wait(`document.querySelector(".slot-card")`)
}
