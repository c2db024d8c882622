package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// stepsWith returns the ends of the steps with an event of a kind, in order, once each.
func (s *instants) stepsWith(t testing.TB, holds func(*engine.Record) bool) (ends []int64) {
	t.Helper()
	last := s.last(t)
	all, err := s.run.EventRange(t.Context(), 0, sim.After(last), int(last))
	if err != nil {
		t.Fatal(err)
	}
	for i := range all.Records {
		if !holds(&all.Records[i]) {
			continue
		}
		if end := s.stepAfter(t, int64(i)); len(ends) == 0 || ends[len(ends)-1] != end {
			ends = append(ends, end)
		}
	}
	return ends
}

func ofKind(kind string) func(*engine.Record) bool {
	return func(r *engine.Record) bool { return r.Kind.String() == kind }
}

// until selects the condition of the search.
func (p *tab) until(what string) {
	p.Helper()
	p.run(fmt.Sprintf(`(() => { const s = document.getElementById("until-what"); s.value = %q; s.dispatchEvent(new Event("change")); })()`, what))
}

// testRunUntil moves between cascades, rejections or expiries, forward and back, by button and by
// key.
func testRunUntil(t *testing.T, base string) {
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=three-slots")
	p.unfold()
	for _, kind := range []string{"cascade", "reject", "expire"} {
		ends := in.stepsWith(t, ofKind(kind))
		if len(ends) < 2 {
			t.Fatalf("%d steps with a %s", len(ends), kind)
		}
		p.press(kb.Home)
		p.atSeq(0)
		p.until(kind)
		p.button("Run")
		p.shows("the first "+kind, in.atSeq(t, ends[0]))
		p.run(`document.activeElement.blur()`)
		p.press("n")
		p.shows("the second "+kind, in.atSeq(t, ends[1]))
		p.press("N")
		p.shows("back to the first "+kind, in.atSeq(t, ends[0]))
		p.button("Back")
		p.wait(`document.getElementById("until-says").textContent === "No match before this position"`)
		p.shows("still at the first "+kind, in.atSeq(t, ends[0]))
	}
}

// testRunUntilATimer follows a timer and moves to its events; an unknown name is reported.
func testRunUntilATimer(t *testing.T, base string) {
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=three-slots")
	p.unfold()
	name := in.run.Program().Name(2)
	ends := in.stepsWith(t, func(r *engine.Record) bool { return r.ID == 2 })
	p.until("timer")
	p.button("Run")
	p.wait(`document.activeElement.id === "until-timer" && document.getElementById("until-says").textContent !== ""`)
	p.fill("until-timer", name)
	p.press(kb.Enter)
	p.shows("its start", in.atSeq(t, ends[0]))
	p.press(kb.Enter)
	p.shows("what happens next to it", in.atSeq(t, ends[1]))
	p.run(`document.getElementById("until-timer").value = "nobody"`)
	p.press(kb.Enter)
	p.wait(`document.getElementById("problem").textContent.includes("nobody")`)
	p.shows("after a name that is none", in.atSeq(t, ends[1]))
}

// TestRunUntilInALane searches one lane only, for a cost and for a crowded slot.
func TestRunUntilInALane(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots")
	p.unfold()
	p.until("cost")
	p.do(chromedp.SetValue(chromedp.ID("until-lane"), "heap"), chromedp.SetValue(chromedp.ID("until-over"), "6"))
	tick := int64(-1)
	for k := int64(0); k <= in.until() && tick < 0; k++ {
		snap, err := in.run.Seek(t.Context(), sim.EndOf(k), 0)
		if err != nil {
			t.Fatal(err)
		}
		if snap.Lanes[4].Cost.Tick > 6 {
			tick = k
		}
	}
	if tick < 1 {
		t.Fatalf("the heap's costly tick is %d", tick)
	}
	p.button("Run")
	p.shows("a costly tick of the heap", in.atTick(t, tick))
}

// TestRunUntilCanBeStopped searches a long run without a match: the page shows the progress, and
// Stop ends it.
func TestRunUntilCanBeStopped(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=hundred-thousand&t=1")
	p.unfold()
	p.until("slot")
	p.do(chromedp.SetValue(chromedp.ID("until-over"), "99999999"))
	p.button("Run")
	p.wait(`!document.getElementById("until-stop").hidden || document.getElementById("until-says").textContent.startsWith("No match")`)
	if eval[bool](p, `!document.getElementById("until-stop").hidden`) {
		p.run(`document.getElementById("until-stop").click()`)
	}
	p.wait(`document.getElementById("until-stop").hidden && document.getElementById("until-says").textContent !== ""`)
	if tick, _ := p.cursor(); tick != 1 {
		t.Errorf("a search for nothing leaves the cursor at %d", tick)
	}
}
