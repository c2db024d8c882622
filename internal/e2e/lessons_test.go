package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openRounds starts the lesson on rounds.
func (p *tab) openRounds(base string) {
	p.Helper()
	p.open(base + "/?view=lab&scenario=reach&lang=en")
	p.press("l")
	p.wait(`document.querySelectorAll(".lesson-pick").length === 5`)
	p.run(`document.querySelectorAll(".lesson-pick")[1].click()`)
}

// testLessonByKey goes through the lesson on rounds by keyboard: each step opens its scenario at
// its cursor, the engine's answer is graded as right, and the progress survives a reload.
func testLessonByKey(t *testing.T, base string) {
	p := newTab(t)
	p.openRounds(base)
	for n, want := range []struct{ scenario, tick, answer, lane string }{
		{"rounds-three", "0", "0:1", "hierarchical"},
		{"rounds-three", "0", "0", "hierarchical"},
		{"paper-hash", "9", "0:30", "sorted"},
		{"rounds-off-by-one", "0", "6", "sorted"},
		{"crowded-slot", "26", "197", "heap"},
	} {
		p.wait(fmt.Sprintf(`document.querySelector(".guide-where").textContent === "Rounds · step %d of 5"`, n+1))
		p.wait(fmt.Sprintf(`location.search.includes("scenario=%s&") || location.search.endsWith("scenario=%s")`, want.scenario, want.scenario))
		p.wait(fmt.Sprintf(`document.querySelector("main").dataset.now === %q && document.querySelector("section[data-lane=%s].aside")`, want.tick, want.lane))
		p.run(`document.querySelector("#lessons .guide-body .primary").click()`)
		p.reply(want.answer)
		p.wait(`document.querySelector(".ask-verdict .good")`)
		p.run(`document.getElementById("ask-close").click()`)
		if n < 4 {
			p.run(`document.activeElement.blur()`)
			p.press("]")
		}
	}
	p.live(chromedp.Reload())
	p.press("l")
	p.wait(`document.querySelectorAll(".lesson-pick small")[1]?.textContent === "step 5 of 5 · 5 of 5 answers right"`)
}

// reply answers the open question: it presses a choice, or points at the place "level:slot" by keyboard.
func (p *tab) reply(value string) {
	p.Helper()
	p.wait(`document.querySelector("#ask-choices .choice, .picture[role=application]")`)
	level, slot, place := strings.Cut(value, ":")
	if !place {
		p.run(fmt.Sprintf(`document.querySelector(":is(.choice, .asked .tray):not(:disabled)[data-value='%s']").click()`, value))
		return
	}
	p.run(`[...document.querySelectorAll(".asked")].find((lane) => !lane.querySelector(".off")).querySelector(".picture").focus()`)
	n, _ := strconv.Atoi(slot)
	up, _ := strconv.Atoi(level)
	p.press(strings.Repeat(kb.ArrowRight, n+1) + kb.ArrowLeft + strings.Repeat(kb.ArrowUp, up) + kb.Enter)
}

// testLessonTellsWhatIsRight gives a wrong answer: the page shows the right answer, and where to
// see it.
func testLessonTellsWhatIsRight(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=reach&lang=en")
	p.button("Lessons")
	p.wait(`document.querySelector(".lesson-pick")`)
	p.run(`document.querySelectorAll(".lesson-pick")[1].click()`)
	p.wait(`document.querySelector("#lessons .guide-body .primary")`)
	p.run(`document.querySelector("#lessons .guide-body .primary").click()`)
	p.reply("0:2")
	p.wait(`document.querySelector(".ask-verdict .bad")?.textContent === "✗ Not quite: slot 1."`)
	if off := eval[string](p, `document.querySelector("[data-lane=rounds] .off b").textContent`); off != "1 slot late" {
		t.Errorf("slot 2 instead of 1 is %q", off)
	}
	p.button("See it")
	p.wait(`document.querySelector("[data-lane=rounds] tr[data-slot='1'][data-count='1']")`)
	p.run(`document.getElementById("ask-close").click()`)
	p.run(`document.querySelector("[data-close-pane=lessons]").click()`)
	p.wait(`document.getElementById("lessons").hidden && !document.querySelector(".aside")`)
}

// holdAnswers delays the server's responses to the page until the returned function is called.
func (p *tab) holdAnswers(pattern string) (release func()) {
	p.Helper()
	held := fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: pattern}}}
	if _, err := chromedp.Call(p.ctx, fetch.Enable, held); err != nil {
		p.Fatal(err)
	}
	return func() {
		if _, err := chromedp.Call(p.ctx, fetch.Disable, cdp.Empty{}); err != nil {
			p.Fatal(err)
		}
	}
}

// TestLessonInHaste goes forward and back before a step's scenario is loaded: the page shows the
// step of the lesson.
func TestLessonInHaste(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.openRounds(s.url)
	p.wait(`document.querySelector(".guide-where").textContent.includes("step 1") && location.search.includes("scenario=rounds-three")`)
	p.settle()
	p.press("]")
	p.settle()
	p.run(`for (const key of "][") document.dispatchEvent(new KeyboardEvent("keydown", { key }))`)
	p.settle()
	if got, want := eval[string](p, `document.querySelector(".guide-where").textContent + " " + document.getElementById("title").textContent`), "step 2 of 5 Four milliseconds on three slots"; !strings.Contains(got, want) {
		t.Fatalf("on and back again: %s, want %s", got, want)
	}
}
