package e2e

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const shift = chromedp.ModifierShift

// testKeys presses every key that moves the cursor and checks the position.
func testKeys(t *testing.T, base string) {
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=three-slots")
	last, until := in.last(t), in.until()
	one := in.stepAfter(t, 0)
	two := in.stepAfter(t, one)
	for _, c := range []struct {
		what, key string
		with      []chromedp.Modifier
		want      shown
	}{
		{"a step", kb.ArrowRight, []chromedp.Modifier{shift}, in.atSeq(t, one)},
		{"a second step", kb.ArrowRight, []chromedp.Modifier{shift}, in.atSeq(t, two)},
		{"a step back", kb.ArrowLeft, []chromedp.Modifier{shift}, in.atSeq(t, one)},
		{"an event", ".", nil, in.atSeq(t, one+1)},
		{"an event back", ",", nil, in.atSeq(t, one)},
		{"the rest of the tick", kb.ArrowRight, nil, in.atTick(t, 0)},
		{"a tick", kb.ArrowRight, nil, in.atTick(t, 1)},
		{"another tick", kb.ArrowRight, nil, in.atTick(t, 2)},
		{"a tick back", kb.ArrowLeft, nil, in.atTick(t, 1)},
		{"to the end", kb.End, nil, in.atTick(t, until)},
		{"past the end", kb.ArrowRight, nil, in.atTick(t, until)},
		{"back from the end", ",", nil, in.atSeq(t, last-1)},
		{"to the beginning", kb.Home, nil, in.atSeq(t, 0)},
		{"before the beginning", kb.ArrowLeft, nil, in.atSeq(t, 0)},
		{"before the first event", ",", nil, in.atSeq(t, 0)},
	} {
		p.press(c.key, c.with...)
		p.shows(c.what, c.want)
	}
	p.press("  ") // plays and pauses, and does nothing else
	p.settle()
	if y := eval[float64](p, `new Promise((done) => setTimeout(() => done(scrollY), 200))`); y != 0 {
		t.Errorf("the keys scrolled the page by %v", y)
	}
}

// shows waits until the page's cursor is at a position, and compares the page with the run.
func (p *tab) shows(what string, want shown) {
	p.Helper()
	p.wait(`((m) => m.now === ` + quote(want.Now) + ` && m.seq === ` + quote(want.Seq) + `)(document.querySelector("main").dataset)`)
	p.settle()
	compareShown(p, what, p.shown(), want)
}

// testSpaceKey plays and pauses.
func testSpaceKey(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=three-slots")
	p.press(" ")
	p.wait(`+document.querySelector("main").dataset.now >= 1`)
	p.find("button", "Pause")
	p.press(" ")
	p.wait(`document.querySelector("#play").getAttribute("aria-label") === "Play"`)
	p.frames()
	was, _ := p.cursor()
	p.run(`new Promise((done) => setTimeout(done, 1500))`) // longer than a tick takes at this speed
	if now, _ := p.cursor(); now != was {
		t.Errorf("paused at tick %d, now at %d", was, now)
	}
}

// TestHeldKeys holds keys down and checks that they repeat.
func TestHeldKeys(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newMovingTab(t)
	p.open(s.url + "/?view=lab&scenario=heartbeats")
	p.held([]rune(kb.ArrowRight)[0], func(tick, _ int64) int64 { return tick })
	p.held('.', func(_, seq int64) int64 { return seq })
	p.held([]rune(kb.ArrowLeft)[0], func(tick, _ int64) int64 { return -tick })
}

// held holds a key down so that one press makes several steps. If a key repeats faster than the
// page steps, the page makes as many steps as it can show; if that was one, the key is pressed
// again.
func (p *tab) held(key rune, place func(tick, seq int64) int64) {
	p.Helper()
	for end := time.Now().Add(settleTime); time.Now().Before(end); {
		was := place(p.cursor())
		p.hold(key, 30)
		p.settle() // every requested step is shown
		if place(p.cursor()) > was+1 {
			return
		}
	}
	p.Fatalf("the held key %q does not repeat\n%s", key, p.where())
}

// TestKeysWhileTyping types all keys into fields: they are text there.
func TestKeysWhileTyping(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3")
	was := p.shown()
	const text = "a .,f?b"
	p.openTab("Timer")
	p.fill("add-timer", text)
	p.press(kb.ArrowLeft)
	p.press(kb.ArrowRight, shift)
	p.press(kb.Home)
	p.press(kb.End)
	p.frames()
	if got := eval[string](p, `document.getElementById("add-timer").value`); got != text {
		t.Errorf("the field holds %q, want %q", got, text)
	}
	compareShown(t, "after typing", p.shown(), was)
	if eval[bool](p, `!!document.querySelector("dialog[open]")`) {
		t.Error("typing ? opened the list of keys")
	}
}

// TestFollowKey selects one timer after another; its dot has a ring in every lane that holds it.
func TestFollowKey(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	var names []string
	for range 2 {
		p.press("f")
		p.frames()
		names = append(names, eval[string](p, `document.getElementById("follow").selectedOptions[0].textContent`))
		if n := eval[int](p, `document.querySelectorAll(".dots .hot").length`); n < 2 {
			t.Errorf("%d dots have a ring", n)
		}
	}
	if names[0] == names[1] {
		t.Errorf("f twice follows %v", names)
	}
}

// TestHelpKey opens and closes the list of keys by key.
func TestHelpKey(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	p.press("?")
	p.wait(`document.querySelector("dialog[open]")`)
	text := eval[string](p, `document.querySelector("dialog[open]").innerText`)
	if len(text) < 100 {
		t.Errorf("the list of keys says %q", text)
	}
	was := p.shown()
	p.press(".")
	p.press("z", chromedp.ModifierCtrl) // "Nothing to undo" would be shown behind the list
	p.press(kb.Escape)
	p.wait(`!document.querySelector("dialog[open]")`)
	if said := eval[string](p, `document.getElementById("toast").textContent`); said != "" {
		t.Errorf("a key pressed in the list of keys: %q", said)
	}
	compareShown(t, "after the list of keys", p.shown(), was)
	p.press(".") // keys work again
	p.wait(`document.querySelector("main").dataset.seq !== ` + quote(was.Seq))
}

// TestKeysWithAltGr sends the key press of a keyboard on which a sign needs AltGr, which some systems report as Ctrl and Alt.
func TestKeysWithAltGr(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3&lang=en")
	for _, modifiers := range []string{`modifierAltGraph: true`, `ctrlKey: true, altKey: true, modifierAltGraph: true`} {
		_, seq := p.cursor()
		p.run(`document.body.dispatchEvent(new KeyboardEvent("keydown", {key: ".", bubbles: true, ` + modifiers + `}))`)
		p.atSeq(seq + 1)
	}
	_, seq := p.cursor()
	p.run(`document.body.dispatchEvent(new KeyboardEvent("keydown", {key: ".", bubbles: true, ctrlKey: true, altKey: true}))`)
	p.settle()
	if _, now := p.cursor(); now != seq {
		t.Errorf("Ctrl+Alt+. moved to event %d", now)
	}
}
