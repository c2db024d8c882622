package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestWatchingASession opens a page that watches another page's session: it shows every position of
// the driver and that it only watches. Keys in it only show a message.
func TestWatchingASession(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	driver := newTab(t)
	driver.open(s.url + "/?view=lab&scenario=reach")
	driver.run(`window.sent = 0; window.said = []; window.drive = new WebSocket(location.origin.replace("http", "ws") + "/ws?scenario=three-slots&t=2");
		window.drive.onmessage = (e) => window.said.push(JSON.parse(e.data));
		window.command = (fields) => window.drive.send(JSON.stringify({v: 1, id: ++window.sent, ...fields}));`)
	driver.wait(`window.said.some((m) => m.kind === "state")`)
	session := eval[string](driver, `window.said.find((m) => m.kind === "hello").session`)

	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&session=" + session)
	p.shows("where the driver is", in.atTick(t, 2))
	if line := eval[string](p, `document.getElementById("link").textContent`); len(line) < 10 {
		t.Errorf("a viewer gets %q", line)
	}
	driver.run(`window.command({do: "seek", tick: 5})`)
	p.shows("where the driver goes", in.atTick(t, 5))
	driver.run(`window.command({do: "find", what: "cascade", n: -1})`)
	p.wait(`document.querySelector("main").dataset.now === "3"`)
	p.settle()
	was := p.shown()
	p.press(kb.End)
	p.wait(`!document.getElementById("problem").hidden`)
	compareShown(t, "after a key of its own", p.shown(), was)
	driver.run(`window.drive.close()`)
	p.frames()
	compareShown(t, "with the driver gone", p.shown(), was)
}

// TestPlayerOnATelephone checks that the player leaves room for the lanes, and shows all controls
// on request, large enough for a finger.
func TestPlayerOnATelephone(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3")
	const share = `document.querySelector(".player").getBoundingClientRect().height / innerHeight`
	if got := eval[float64](p, share); got > 0.25 {
		t.Errorf("the player takes %.2f of the window", got)
	}
	if eval[bool](p, `document.getElementById("until-run").checkVisibility()`) {
		t.Error("folded, it shows everything")
	}
	p.button("Run until")
	p.frames()
	if got := eval[float64](p, share); got > 0.7 {
		t.Errorf("with everything it takes %.2f of the window", got)
	}
	for _, id := range []string{"until-run", "until-back", "speed", "time-names"} {
		if !eval[bool](p, fmt.Sprintf(`document.getElementById(%q).checkVisibility()`, id)) {
			t.Errorf("#%s is not shown", id)
		}
	}
	for _, fault := range eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll(".player button, .player select")].filter((e) => e.checkVisibility())
		.map((e) => [e, e.getBoundingClientRect()]).filter(([, b]) => b.width < %d || b.height < 32 || b.right > innerWidth)
		.map(([e, b]) => e.id + " is " + b.width + " × " + b.height + " up to " + b.right)`, tapWide)) {
		t.Error(fault)
	}
}
