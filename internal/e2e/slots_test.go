package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/wheel"
)

// slotAsked is a slot of a lane as an input of the page's function.
type slotAsked struct {
	Info   map[string]any `json:"info"`
	Levels [][]int64      `json:"levels"`
	Level  int8           `json:"level"`
	Slot   uint32         `json:"slot"`
	Now    int64          `json:"now"`
	Start  int64          `json:"start"`
	Dues   []int64        `json:"dues"`

	lane string
	tick int64
	ids  []uint32
}

// slotRange is the result of the page's function.
type slotRange struct {
	From, To, Every int64
	At              *int64 // nil: it is not visited at a single tick
}

// TestRangesHoldTheirTimers calls the page's function for every slot with timers, after every third
// tick of a run of every kind of wheel. The due tick of each timer in the slot is within the
// returned range, and in the finest level one of them fires when the slot is to be visited.
func TestRangesHoldTheirTimers(t *testing.T) {
	t.Parallel()
	p := newFoldTab(t)
	for _, name := range []string{"catalogue.json", "started-late.json"} {
		in := instantsOf(t, read(t, name))
		fires := map[string]int64{}
		if name == "catalogue.json" { // the other scenario has a stall, during which no slot is visited
			fires = firesOf(t, in)
		}
		asked := slotsOf(t, in)
		ranges := eval[[]*slotRange](p, fmt.Sprintf(`import("/js/inspect/ranges.js").then(({rangeOf}) => %s.map(
			(a) => { const r = rangeOf(a.info, a.levels, a.level, a.slot, a.now, a.start, a.dues); return r && {From: r.from, To: r.to, Every: r.every, At: r.at}; }))`, quote(asked)))
		rules := map[string]int{}
		for k, a := range asked {
			if ranges[k] == nil {
				continue
			}
			rules[a.Info["algorithm"].(string)]++
			a.check(t, ranges[k], fires)
		}
		if name == "catalogue.json" && len(rules) < 8 {
			t.Errorf("ranges are given for %v only", rules)
		}
	}
}

// check compares the result for a slot with its timers.
func (a *slotAsked) check(t *testing.T, r *slotRange, fires map[string]int64) {
	t.Helper()
	for i, due := range a.Dues {
		from := due
		if r.Every > 0 && due > r.To {
			from = r.From + (due-r.From)%r.Every
		}
		if from < r.From || from > r.To {
			t.Errorf("%s at tick %d: level %d slot %d is said to take %d … %d (every %d), it holds timer %d due %d", a.lane, a.tick, a.Level, a.Slot, r.From, r.To, r.Every, a.ids[i], due)
		}
		fired, ok := fires[fmt.Sprint(a.lane, " ", a.ids[i], " ", due)]
		if ok && r.At != nil && a.Level == 0 && due >= r.From && due <= r.To && fired != *r.At {
			t.Errorf("%s at tick %d: slot %d is said to be worked at %d, timer %d due %d fires at %d", a.lane, a.tick, a.Slot, *r.At, a.ids[i], due, fired)
		}
	}
}

// firesOf returns the tick at which each timer fires, by lane, id and due tick.
func firesOf(t *testing.T, in *instants) map[string]int64 {
	t.Helper()
	fires := map[string]int64{}
	for _, e := range eventLines(t, string(traceOf(t, in))) {
		if e.Kind == "expire" {
			fires[fmt.Sprint(e.Lane, " ", e.ID, " ", e.Due)] = e.Tick
		}
	}
	return fires
}

// slotsStep is the number of ticks between two checks of the slots.
const slotsStep = 3

// slotsOf returns every slot of a ring that holds timers, after every third tick.
func slotsOf(t *testing.T, in *instants) []slotAsked {
	t.Helper()
	var all []slotAsked
	program := in.run.Program()
	for tick := int64(0); tick <= in.until(); tick += slotsStep {
		snap, err := in.run.Seek(t.Context(), sim.EndOf(tick), wheel.AllEntries)
		if err != nil {
			t.Fatal(err)
		}
		for i := range snap.Lanes {
			spec, lane := &program.Scenario.Lanes[i], &snap.Lanes[i]
			var levels [][]int64
			for _, l := range lane.Levels {
				levels = append(levels, []int64{int64(l.Level), int64(l.Slots), l.Width})
			}
			for _, place := range lane.Places {
				if place.Level < 0 {
					continue
				}
				a := slotAsked{Info: map[string]any{"algorithm": spec.Algorithm, "params": spec.Params}, Levels: levels, Level: place.Level, Slot: place.Slot,
					Now: lane.Cost.Clock, Start: program.Start, lane: spec.ID, tick: tick}
				for _, e := range place.Entries {
					if !e.Marked {
						a.Dues, a.ids = append(a.Dues, e.Due-program.Start), append(a.ids, e.ID)
					}
				}
				if len(a.Dues) > 0 {
					all = append(all, a)
				}
			}
		}
	}
	return all
}

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
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.forgive("request failed: Script")
	p.forgive("slot-card.js")
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2&lang=en")
	block := func(list ...*network.BlockPattern) {
		t.Helper()
		if _, err := chromedp.Call(p.ctx, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: list}); err != nil {
			t.Fatal(err)
		}
	}
	const click = `document.querySelector("[data-shape=ring] .picture > svg").dispatchEvent(new PointerEvent("click", {bubbles: true, clientX: 5, clientY: 5}))`
	block(&network.BlockPattern{URLPattern: "*://*:*/*/slot-card.js", Block: true})
	p.run(`(() => { window.asked = 0; new PerformanceObserver((list) => { asked += list.getEntries().filter((e) => e.name.endsWith("/slot-card.js")).length; }).observe({type: "resource"}); })()`)
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
