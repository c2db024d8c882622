package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// walk presses a key repeatedly, through every expected position.
func (p *tab) walk(what, key string, modifiers []chromedp.Modifier, instants []shown) {
	p.Helper()
	for k, want := range instants {
		p.press(key, modifiers...)
		p.shows(fmt.Sprintf("%s, press %d", what, k+1), want)
	}
}

// reversed returns the positions in reverse order, without the last.
func reversed(way []shown, start shown) []shown {
	var back []shown
	for k := len(way) - 2; k >= 0; k-- {
		back = append(back, way[k])
	}
	return append(back, start)
}

// siteEvents is the number of events that the short form visits on the site, whose page is the same
// as the server's.
const siteEvents = 40

// testEventsForwardAndBack goes through every event of a small scenario and back: every table at
// every event equals the run's, in both directions. The short form goes through the first events only on the site.
func testEventsForwardAndBack(t *testing.T, base string) {
	in := builtin(t, "three-slots")
	var way []shown
	for seq := int64(1); seq <= in.last(t); seq++ {
		way = append(way, in.atSeq(t, seq))
	}
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=three-slots")
	if p.onSite && !longForm() {
		way = way[:siteEvents]
	}
	p.walk("by event", ".", nil, way)
	p.walk("back by event", ",", nil, reversed(way, in.atSeq(t, 0)))
}

// testStepsForwardAndBack does the same for steps.
func testStepsForwardAndBack(t *testing.T, base string) {
	in := builtin(t, "rounds-off-by-one")
	var way []shown
	for seq := int64(0); seq < in.last(t); {
		seq = in.stepAfter(t, seq)
		way = append(way, in.atSeq(t, seq))
	}
	p := newMovingTab(t)
	p.open(base + "/?view=lab&scenario=rounds-off-by-one")
	p.walk("by step", kb.ArrowRight, []chromedp.Modifier{shift}, way)
	p.walk("back by step", kb.ArrowLeft, []chromedp.Modifier{shift}, reversed(way, in.atSeq(t, 0)))
}

// TestTicksForwardAndBack does the same for ticks, in a scenario of a file that uses every rule of
// the base algorithms, including a stall.
func TestTicksForwardAndBack(t *testing.T) {
	t.Parallel()
	s := serve(t, "testdata/every-rule.json")
	in := instantsOf(t, read(t, "every-rule.json"))
	var way []shown
	for tick := range in.until() + 1 {
		way = append(way, in.atTick(t, tick))
	}
	p := newTab(t)
	p.open(s.url + "/?view=lab")
	p.walk("by tick", kb.ArrowRight, nil, way)
	p.walk("back by tick", kb.ArrowLeft, nil, reversed(way, in.atSeq(t, 0)))
}
