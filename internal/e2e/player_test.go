package e2e

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// atEnd waits until the cursor is at the end of the scenario, at rest.
func (p *tab) atEnd(in *instants) {
	p.Helper()
	p.atTick(in.until())
	p.wait(`!document.getElementById("play").matches("[data-playing]")`)
	p.settle()
}

// TestPlayReachesTheEnd plays a scenario at a speed chosen by key, and checks the page at the end.
// Play then starts again.
func TestPlayReachesTheEnd(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	p := newMovingTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots")
	p.do(chromedp.Focus(chromedp.ID("speed")))
	was := eval[string](p, `document.getElementById("speed-words").textContent`)
	for range 4 {
		p.press(kb.ArrowRight)
	}
	if now := eval[string](p, `document.getElementById("speed-words").textContent`); now == was {
		t.Errorf("the speed is shown as %q before and after it was changed", now)
	}
	p.press(" ")
	p.wait(`document.getElementById("play").matches("[data-playing]")`)
	p.atEnd(in)
	compareShown(t, "played to the end", p.shown(), in.atTick(t, in.until()))
	p.press(" ")
	p.wait(`+document.querySelector("main").dataset.now < ` + quote(in.until()))
}

// TestFastForward plays large scenarios to their ends at full speed.
func TestFastForward(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, name := range []string{"heartbeats", "hundred-thousand"} {
		in := builtin(t, name)
		p := newTab(t)
		p.open(s.url + "/?view=lab&scenario=" + name)
		p.button("Fast-forward")
		p.atEnd(in)
		compareShown(t, name, p.shown(), in.atTick(t, in.until()))
	}
}

// TestPauseInFullFlight pauses a large scenario at a random position: the page shows the exact
// state there.
func TestPauseInFullFlight(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	in := builtin(t, "heartbeats")
	p := newMovingTab(t)
	p.open(s.url + "/?view=lab&scenario=heartbeats")
	for range 3 {
		was, _ := p.cursor()
		p.press(" ")
		p.wait(fmt.Sprintf(`document.getElementById("play").matches("[data-playing]") && +document.querySelector("main").dataset.now > %d`, was+40))
		p.press(" ")
		p.wait(`!document.getElementById("play").matches("[data-playing]")`)
		p.settle()
		tick, _ := p.cursor()
		compareShown(t, fmt.Sprintf("paused at %d", tick), p.shown(), in.atTick(t, tick))
	}
}

// TestTimeSlider drags the slider with the mouse, forward and back.
func TestTimeSlider(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, name := range []string{"three-slots", "heartbeats"} {
		in := builtin(t, name)
		p := newTab(t)
		p.open(s.url + "/?view=lab&scenario=" + name)
		b := p.box(p.find("slider", "Time"))
		_, y := b.middle()
		p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, b.X+9, y, chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1)))
		for _, part := range []float64{0.3, 0.9, 0.5, 0.1, 0.7} {
			p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, b.X+b.W*part, y, chromedp.ButtonType(input.MouseButtonLeft)))
		}
		p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, b.X+b.W*0.7, y, chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1)))
		p.wait(`document.querySelector("main").dataset.now === document.getElementById("time").value`)
		p.settle() // no seek waits for another
		tick, _ := p.cursor()
		if part := float64(tick) / float64(in.until()); part < 0.6 || part > 0.8 {
			t.Errorf("%s: dragged to 0.7 of the slider, the cursor is at %.2f of the time", name, part)
		}
		compareShown(t, fmt.Sprintf("%s dragged to %d", name, tick), p.shown(), in.atTick(t, tick))
	}
}

// TestLastSeekWins requests far more positions than may wait for their answers: the cursor ends at
// the last one.
func TestLastSeekWins(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	in := builtin(t, "heartbeats")
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=heartbeats")
	const keys = `for (let n = 0; n < 100; n++) for (const key of %s) document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}))`
	p.run(fmt.Sprintf(keys, `["Home", "End"]`))
	p.atTick(in.until())
	p.settle()
	p.run(fmt.Sprintf(keys, `["End", "Home"]`))
	p.atSeq(0)
	p.settle()
	p.run(fmt.Sprintf(keys, `["Home", "End"]`) + `; (() => { const s = document.getElementById("time"); s.value = 77; s.dispatchEvent(new Event("input")); s.dispatchEvent(new Event("change")); })()`)
	p.atTick(77)
	p.settle()
	p.shows("at the last position", in.atTick(t, 77))
}

// TestFocusStays presses a button until it is disabled: it keeps the keyboard's focus, ignores further
// presses, and is disabled once it loses the focus.
func TestFocusStays(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?scenario=three-slots&view=stage&lang=en&t=10")
	p.wait(`document.getElementById("story-next").checkVisibility()`)
	p.press(kb.Tab)
	p.run(`document.getElementById("story-next").focus()`)
	for n := 0; !eval[bool](p, `document.getElementById("story-next").matches("[aria-disabled=true]")`); n++ {
		if n == 40 {
			t.Fatalf("at the end the button is %s", eval[string](p, `((e) => e.outerHTML + document.activeElement.id + e.matches(":focus-visible"))(document.getElementById("story-next"))`))
		}
		p.press(kb.Enter)
		p.settle()
		p.wait(`!document.getElementById("story-next").textContent.endsWith("…")`)
	}
	tick, seq := p.cursor()
	p.press(kb.Enter)
	p.settle()
	if now, at := p.cursor(); now != tick || at != seq {
		t.Errorf("a disabled button moved the cursor from %d, %d to %d, %d", tick, seq, now, at)
	}
	if id := eval[string](p, `document.activeElement.id`); id != "story-next" {
		t.Errorf("the focus is on %q", id)
	}
	p.press(kb.Tab)
	p.wait(`document.getElementById("story-next").disabled`)
}

// TestTimeSliderWaits drags the slider to a tick that is not computed yet: it stays there, and the
// page is not settled, until another movement.
func TestTimeSliderWaits(t *testing.T) {
	soak(t)
	t.Parallel()
	const until = 2_000_000_000
	file := filepath.Join(t.TempDir(), "long.json")
	text := fmt.Sprintf(`{"wheelscope": 1, "until": %d, "lanes": [{"algorithm": "rounds", "slots": 1}], "workload": {"ops": [{"at": 0, "op": "schedule", "timer": "far", "delay": %d}]}}`, until, until-1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, file)
	p := newTab(t)
	p.open(s.url + "/?view=lab&lang=en")
	b := p.box(p.find("slider", "Time"))
	p.do(chromedp.MouseClickXY(b.X+b.W*0.9, b.Y+b.H/2))
	p.frames()
	p.frames()
	type look struct {
		Part    float64
		Settled string
	}
	if at := eval[look](p, fmt.Sprintf(`({Part: document.getElementById("time").value / %d, Settled: document.querySelector("main").dataset.settled})`, until)); at.Part < 0.8 || at.Settled != "false" {
		t.Errorf("while it is computed: %+v", at)
	}
	p.wait(`document.getElementById("goal").checkVisibility()`)
	if away := eval[float64](p, fmt.Sprintf(`document.getElementById("goal").getBoundingClientRect().x - %f`, b.X+b.W*0.9)); math.Abs(away) > 12 {
		t.Errorf("what the cursor goes to is marked %.0f pixels from where the slider was put", away)
	}
	p.press(kb.Home)
	p.settle()
	if eval[bool](p, `document.getElementById("goal").checkVisibility()`) {
		t.Error("the mark stays when the cursor has gone elsewhere")
	}
	if tick, _ := p.cursor(); tick != 0 || eval[string](p, `document.getElementById("time").value`) != "0" {
		t.Errorf("after going back the cursor is at %d", tick)
	}
}

// TestSeekBackAndForth moves to ticks in random order by the slider's value, as fast as the page
// accepts them.
func TestSeekBackAndForth(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	in := builtin(t, "cascade-storm")
	p := newMovingTab(t)
	p.open(s.url + "/?view=lab&scenario=cascade-storm")
	random := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		var tick int64
		for range 4 {
			tick = random.Int64N(in.until() + 1)
			p.run(fmt.Sprintf(`(() => { const s = document.getElementById("time"); s.value = %d; s.dispatchEvent(new Event("input")); s.dispatchEvent(new Event("change")); })()`, tick))
		}
		p.shows(fmt.Sprintf("at %d", tick), in.atTick(t, tick))
	}
}

// TestPicker selects another scenario by key.
func TestPicker(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	in := builtin(t, "reach")
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3")
	p.do(chromedp.Focus(chromedp.ID("scenario")))
	p.press("\r")
	p.wait(`document.querySelector("#picker[open] #gallery-search") === document.activeElement`)
	p.press("past the wheel")
	p.live(chromedp.KeyEvent("\r"))
	p.wait(`location.search.includes("scenario=reach")`)
	p.settle()
	compareShown(t, "another scenario", p.shown(), in.atSeq(t, 0))
	p.press(kb.ArrowRight)
	p.shows("its first tick", in.atTick(t, 0))
}

// TestQuickFingers presses Space four times without waiting for a response: each press reverses the
// previous one, so the clock is in its first state again.
func TestQuickFingers(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=heartbeats")
	p.run(`for (let k = 0; k < 4; k++) document.body.dispatchEvent(new KeyboardEvent("keydown", {key: " ", bubbles: true, cancelable: true}))`)
	p.settle()
	if eval[bool](p, `document.getElementById("play").matches("[data-playing]")`) {
		t.Error("it plays after an even number of presses")
	}
	p.press(" ")
	p.wait(`document.getElementById("play").matches("[data-playing]")`)
}
