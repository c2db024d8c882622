package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openTab opens a tab of the panel by its name, with the mouse.
func (p *tab) openTab(name string) {
	p.Helper()
	p.click("tab", name)
	p.wait(`document.querySelector("[role=tab][aria-selected=true]").textContent === ` + quote(name))
}

// text returns the text of an element of the page.
func (p *tab) text(id string) string {
	p.Helper()
	return eval[string](p, `document.getElementById(`+quote(id)+`).textContent.trim()`)
}

// TestTabs moves through the panel's tabs with the keyboard. At each, one tab is selected, only its
// panel is shown, at unchanged height; the cursor does not move.
func TestTabs(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3")
	was := p.shown()
	const panelHeight = `document.getElementById("panel-story").closest(".panel").offsetHeight`
	height := eval[int](p, panelHeight)
	p.run(`document.getElementById("tab-story").focus()`)
	for _, c := range []struct{ key, name, panel string }{
		{kb.ArrowRight, "Timer", "panel-timer"}, {kb.ArrowRight, "Log", "panel-log"}, {kb.End, "Rule", "panel-rule"},
		{kb.ArrowRight, "Story", "panel-story"}, {kb.ArrowLeft, "Rule", "panel-rule"}, {kb.Home, "Story", "panel-story"},
	} {
		p.press(c.key)
		p.frames()
		got := eval[[]string](p, `[...document.querySelectorAll("[role=tabpanel]")].filter((e) => e.checkVisibility()).map((e) => e.id)`)
		if fmt.Sprint(got) != "["+c.panel+"]" {
			t.Errorf("at %s the panels %v are shown, want %s", c.name, got, c.panel)
		}
		if now := eval[int](p, panelHeight); now != height {
			t.Errorf("at %s the panel is %d px high, beside the picture it has %d", c.name, now, height)
		}
		state := eval[string](p, `(() => { const e = document.activeElement; return [e.textContent, e.getAttribute("aria-selected"), document.querySelectorAll("[role=tab][tabindex='0'], [role=tab]:not([tabindex])").length].join() })()`)
		if state != c.name+",true,1" {
			t.Errorf("the focus is on %s, want %s selected and the one stop", state, c.name)
		}
	}
	compareShown(t, "after walking through the tabs", p.shown(), was)
	p.openTab("Log")
	p.live(chromedp.Reload())
	if got := eval[string](p, `document.querySelector("[role=tab][aria-selected=true]").textContent`); got != "Log" {
		t.Errorf("after a reload %s is open, want Log", got)
	}
}

// TestStory goes through a scenario step by step: each step has a headline with its timer, the
// formula, the line of code and the cost, and was announced in the previous step.
func TestStory(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	timer, before, after := cascadeOf(t, in)
	p := newTab(t)
	p.open(fmt.Sprintf("%s/?view=lab&scenario=three-slots&seq=%d&lang=en", s.url, before))
	p.wait(`document.getElementById("story-next").checkVisibility()`)
	if next := p.text("story-next"); !strings.Contains(next, "hand reaches level 1 · slot 1") || !strings.Contains(next, timer) {
		t.Errorf("before the cascade of %s comes next: %q", timer, next)
	}
	p.run(`document.getElementById("story-next").click()`)
	p.atSeq(after)
	p.settle()
	if got, want := p.text("story-head"), timer+" moves down a level."; got != want {
		t.Errorf("the headline is %q, want %q", got, want)
	}
	if got := p.status(); !strings.Contains(got, "t = 3") || !strings.Contains(got, "hierarchical") || !strings.Contains(got, "due in 1 tick") {
		t.Errorf("a screen reader reads %q", got)
	}
	if got := p.text("story-formula"); !strings.Contains(got, "4 mod 3 = 1") {
		t.Errorf("the formula is %q", got)
	}
	p.wait(`document.querySelector("#story-code .ran")?.checkVisibility()`)
	if got := eval[string](p, `document.querySelector("#story-code .ran").textContent`); !strings.Contains(got, "place") {
		t.Errorf("the line that ran is %q", got)
	}
	if got := eval[int](p, `document.querySelectorAll("#story-code [aria-current]").length`); got != 1 {
		t.Errorf("%d lines of code are marked", got)
	}
	const figures = `[...document.querySelector("section[data-lane=hierarchical]").querySelectorAll("[data-total=live], [data-total=fired], [data-cost=total], [data-cost=worst]")].map((e) => e.textContent).sort().join()`
	if row, card := eval[string](p, `[...document.querySelectorAll("#so-far tbody tr")].find((r) => r.cells[0].textContent === "hierarchical").innerText.split(/\s+/).slice(1, 5).sort().join()`), eval[string](p, figures); row != card {
		t.Errorf("the figures so far are %q, in the card %q", row, card)
	}
}

// TestStoryOfALane selects the lane whose part of an operation is described.
func TestStoryOfALane(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&lang=en")
	p.press(kb.ArrowRight, shift)
	p.wait(`document.getElementById("story-head").textContent.includes("task1")`)
	texts := map[string]bool{}
	for _, id := range []string{"simple", "rounds", "hierarchical", "sorted", "heap"} {
		p.run(`[...document.querySelectorAll("#story-lanes button")].find((b) => b.textContent === ` + quote(id) + `).click()`)
		p.wait(`document.querySelector("#story-lanes [aria-pressed=true]").textContent === ` + quote(id))
		p.frames()
		texts[p.text("story-lines")+p.text("story-formula")] = true
	}
	if len(texts) < 4 {
		t.Errorf("the texts of five lanes are %d different ones: %v", len(texts), texts)
	}
	if got := p.text("story-step"); got != "Step 1 of 41" {
		t.Errorf("the text of the step is %q", got)
	}
}

// TestStoryWhilePlaying plays fast: the story shows counts instead of single steps, and the steps
// again when the clock is paused.
func TestStoryWhilePlaying(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=heartbeats&lang=en")
	p.run(`document.getElementById("play").click()`)
	p.wait(`/Playing/.test(document.getElementById("story").textContent)`)
	p.wait(`/scheduled|fired|cancelled/.test(document.getElementById("story-lines").textContent)`)
	p.run(`document.getElementById("play").click()`)
	p.wait(`!/Playing/.test(document.getElementById("story").textContent) && document.getElementById("story-head").textContent.length > 5`)
}

// TestLog opens the log: its lines are the events before the cursor, and each moves the cursor to
// its event.
func TestLog(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	events := eventLines(t, string(traceOf(t, in)))
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3&lang=en")
	_, seq := p.cursor()
	p.openTab("Log")
	p.wait(fmt.Sprintf(`document.querySelector("#log [data-seq='%d'][aria-current]")`, seq))
	for _, n := range []int64{1, 5, 20} {
		line := eval[string](p, fmt.Sprintf(`document.querySelector("#log [data-seq='%d']").textContent`, seq-n+1))
		e := events[seq-n]
		if !strings.HasPrefix(line, fmt.Sprintf("t = %d%s", e.Tick, e.Lane)) || (e.Timer != "" && !strings.Contains(line, e.Timer)) {
			t.Errorf("the text of event %d is %q, the event is %+v", seq-n+1, line, e)
		}
	}
	p.run(`document.querySelector("#log [aria-current]").focus()`)
	p.press(kb.ArrowDown)
	p.press(kb.Enter)
	p.atSeq(seq - 1)
	p.settle()
	compareShown(t, "at an event of the log", p.shown(), in.atSeq(t, seq-1))
}

// TestLife follows a timer: it has a line for each of its events in each lane, and a line moves the
// cursor there.
func TestLife(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	timer, _, after := cascadeOf(t, in)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2&lang=en")
	p.openTab("Timer")
	p.run(`(() => { const f = document.getElementById("follow"); f.value = [...f.options].find((o) => o.textContent === ` + quote(timer) + `).value; f.dispatchEvent(new Event("change")); })()`)
	p.wait(`document.getElementById("life").checkVisibility()`)
	want := map[string]int{}
	for _, e := range eventLines(t, string(traceOf(t, in))) {
		if e.Timer == timer {
			want[e.Lane]++
		}
	}
	got := eval[map[string]int](p, `Object.fromEntries([...document.querySelectorAll(".life-lane")].map((l) => [l.querySelector("h3").textContent, l.querySelectorAll("button").length]))`)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the life of %s has %v points, the trace %v events", timer, got, want)
	}
	p.run(fmt.Sprintf(`document.querySelector("#life-lanes button[data-seq='%d']").click()`, after))
	p.atSeq(after)
	p.wait(fmt.Sprintf(`document.querySelector("#life-lanes button[data-seq='%d'][aria-current=true]")`, after))
	p.openTab("Story")
	if !eval[bool](p, `document.querySelectorAll("#story-follow .point").length > 2 && document.getElementById("story-follow").checkVisibility()`) {
		t.Error("the story does not show the followed timer's life")
	}
}

// TestStoryOfManyTimers has lanes with too many timers for single events: while the clock runs
// events are counted, and they are described when the cursor is at rest. The story never says that
// nothing happened.
func TestStoryOfManyTimers(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=hundred-thousand&t=20000&lang=en")
	p.run(`(() => {
		globalThis.said = [];
		new MutationObserver(() => said.push(document.getElementById("story").textContent)).observe(document.getElementById("story"), {childList: true, characterData: true, subtree: true});
	})()`)
	p.choose("1 tick a second")
	p.button("Play")
	p.wait(`said.some((s) => /Too many timers to describe each: .*\d+ scheduled/.test(s))`)
	p.button("Pause")
	p.wait(`/timer\d+/.test(document.getElementById("story").textContent)`)
	if said := eval[[]string](p, `said`); strings.Contains(strings.Join(said, "\n"), "nothing was due") {
		t.Errorf("it was said: %q", said)
	}
}

// TestStoryOfAFinding goes to a fault of a lane: the story says what happened, and what would have
// been correct.
func TestStoryOfAFinding(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	in := builtin(t, "lk668-whole-revolution")
	var seq int64
	for _, e := range eventLines(t, string(traceOf(t, in))) {
		if e.Kind == "finding" {
			seq = e.Seq
			break
		}
	}
	p := newTab(t)
	p.open(fmt.Sprintf("%s/?view=lab&scenario=lk668-whole-revolution&seq=%d&lang=en", s.url, seq))
	if got := p.status(); !strings.Contains(got, "A fault takes effect in published") || !strings.Contains(got, "is fired at 1") || !strings.Contains(got, "due at 10") {
		t.Errorf("the text of the finding is %q", got)
	}
	p.wait(`document.querySelector("#story-code .ran")?.checkVisibility()`)
}

// TestAxeOnThePanel checks every tab with axe-core, with a followed timer, and the layout.
func TestAxeOnThePanel(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	script, layout := string(read(t, "axe/axe.min.js")), string(read(t, "layout.js"))
	p := newTab(t)
	for k, v := range some(2, view{1440, 900, "light", "en"}, view{360, 740, "dark", "zh"}, view{1440, 900, "dark", "zh"}, view{390, 844, "light", "zh"}, view{360, 740, "dark", "en"}) {
		p.look(v)
		p.open(s.url + "/?view=lab&scenario=three-slots&t=3&lang=" + v.lang)
		p.run(script)
		p.press("f")
		for _, tab := range []string{"story", "timer", "log", "rule"} {
			p.run(`document.getElementById("tab-` + tab + `").click()`)
			shown := map[string]string{"story": "#story-follow .point", "timer": "#life-lanes button", "log": "#log button", "rule": "#rule-code li"}[tab]
			p.wait(`document.querySelector(` + quote(shown) + `)?.checkVisibility()`)
			p.settle()
			p.axePart(k == 0, ".panel", v.String()+" "+tab)
			for _, fault := range eval[[]string](p, fmt.Sprintf("(%s)(%d, %d)", layout, clickWide, clickHigh)) {
				t.Errorf("%s %s: %s", v, tab, fault)
			}
		}
	}
}
