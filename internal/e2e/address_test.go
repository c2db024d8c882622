package e2e

import (
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/sim/library"
)

// TestEveryTickByAddress opens a small scenario at every tick: the HTML of the server and the
// page after its scripts have run both show the state of the run. The short form runs the scripts at every third.
func TestEveryTickByAddress(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	p := newTab(t)
	for tick := range in.until() + 1 {
		at := fmt.Sprintf("/?view=lab&scenario=three-slots&t=%d", tick)
		want := in.atTick(t, tick)
		if tick%3 == 0 || longForm() {
			p.open(s.url + at)
			compareShown(t, "with scripts, "+at, p.shown(), want)
		}
		compareShown(t, "as sent, "+at, p.asSent(at), want)
	}
}

// TestEveryEventByAddress requests every event of a small scenario, and opens some of them in the
// browser. The short form requests every third.
func TestEveryEventByAddress(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots")
	compareShown(t, "before anything", p.shown(), in.atSeq(t, 0))
	for seq := range in.last(t) + 1 {
		at := fmt.Sprintf("/?view=lab&scenario=three-slots&seq=%d", seq)
		if seq%3 != 0 && !longForm() {
			continue
		}
		want := in.atSeq(t, seq)
		compareShown(t, "as sent, "+at, p.asSent(at), want)
		if seq%21 == 3 || longForm() && seq%7 == 3 {
			p.open(s.url + at)
			compareShown(t, "with scripts, "+at, p.shown(), want)
		}
	}
}

// sampleTick bounds the middle ticks that are checked: the tables still list every one of tens of
// thousands of timers, which is slow.
const sampleTick = 2000

// TestBuiltinsByAddress opens every built-in scenario in its middle, and goes to its end; the
// server's HTML is checked at both. The short form opens one scenario in three, and not the twelve
// rings, which take as long as ten others.
func TestBuiltinsByAddress(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for k, b := range library.Builtins() {
		if !longForm() && (k%3 != 0 || b.Name == "twelve-rings") {
			continue
		}
		in := builtin(t, b.Name)
		until := in.until()
		for k, tick := range []int64{min(until/3, sampleTick), until} {
			at := fmt.Sprintf("/?view=lab&scenario=%s&t=%d", b.Name, tick)
			if k == 0 {
				p.open(s.url + at)
			} else {
				p.slide(tick)
			}
			want := in.atTick(t, tick)
			compareShown(t, "with scripts, "+at, p.shown(), want)
			compareShown(t, "as sent, "+at, p.asSent(at), want)
		}
	}
}

// TestAddressThatIsWrong opens invalid URLs: the page shows one clear line, and works.
func TestAddressThatIsWrong(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, c := range []struct {
		query  string
		status int
	}{{"scenario=no-such", 404}, {"scenario=three-slots&t=99999", 400}, {"scenario=three-slots&t=soon", 400}, {"scenario=three-slots&seq=-1", 400}} {
		p.forgive(fmt.Sprint(c.status))
		p.open(s.url + "/?view=lab&" + c.query)
		if text := eval[string](p, `document.querySelector("#problem").checkVisibility() ? document.querySelector("#problem").innerText : ""`); len(text) < 20 {
			t.Errorf("%s: the page says %q", c.query, text)
		}
		if _, status := s.get(t, "/?view=lab&"+c.query); status != c.status {
			t.Errorf("%s: status %d, want %d", c.query, status, c.status)
		}
		p.press(".")
		p.atSeq(1)
	}
}

// TestFirstPaintStays observes the tables while the page loads: the scripts take over the server's
// HTML, and no row is missing at any time.
func TestFirstPaintStays(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	const watch = `window.fewest = Infinity;
		addEventListener("DOMContentLoaded", () => {
			const count = () => { fewest = Math.min(fewest, document.querySelectorAll("section[data-lane] tr[data-level]").length); };
			count();
			new MutationObserver(count).observe(document, {childList: true, subtree: true});
		});`
	p.atStart(watch)
	for _, at := range []string{"three-slots&t=3", "crowded-slot&t=100", "heartbeats&t=200"} {
		p.open(s.url + "/?view=lab&scenario=" + at)
		rows := eval[[]int](p, `[fewest, document.querySelectorAll("section[data-lane] tr[data-level]").length]`)
		if rows[0] != rows[1] || rows[1] == 0 {
			t.Errorf("%s: %d rows at first or on the way, %d in the end", at, rows[0], rows[1])
		}
	}
}

// asSent is the page of a URL as sent by the server, without scripts.
func (p *tab) asSent(path string) shown {
	p.Helper()
	return eval[shown](p, `fetch(`+quote(path)+`).then((r) => r.text()).then((text) => (`+readShown+
		`)(new DOMParser().parseFromString(text, "text/html")))`)
}
