package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestLanguageSwitch changes the language: the position stays, the texts change.
func TestLanguageSwitch(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&seq=30&lang=en")
	want := p.shown()
	p.live(chromedp.Click(chromedp.CSS(`[data-lang-to=zh]`)))
	p.find("button", "播放")
	if lang := eval[string](p, `document.documentElement.lang`); lang[:2] != "zh" {
		t.Errorf("the page says its language is %q", lang)
	}
	compareShown(t, "in Chinese", p.shown(), want)
	p.live(chromedp.Click(chromedp.CSS(`[data-lang-to=en]`)))
	p.find("button", "Play")
	compareShown(t, "in English again", p.shown(), want)
}

// TestFollowByMouse clicks a timer's dot, then another timer's name in a table.
func TestFollowByMouse(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?scenario=three-slots&t=2&view=stage&lane=rounds")
	const follows = `document.getElementById("follow").selectedOptions[0].textContent`
	at := eval[[]float64](p, `(({x, y, width, height}) => [x + width / 2, y + height / 2])(
		document.querySelector("[data-lane=rounds] .dots [data-id='3'] circle").getBoundingClientRect())`)
	p.do(chromedp.MouseClickXY(at[0], at[1]))
	p.wait(follows + ` === "task3"`)
	p.press("v")
	p.press("t")
	p.do(chromedp.Click(chromedp.CSS("[data-lane=heap] .timer[data-id='4']")))
	p.wait(follows + ` === "task4"`)
	p.frames()
	if n := eval[int](p, `document.querySelectorAll(".timer.followed").length`); n != 4 {
		t.Errorf("%d tables mark the followed timer, want 4", n) // the simple wheel has refused it
	}
}

// TestWithoutScripts opens and steps the page with scripts disabled.
func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "three-slots")
	p := newTab(t)
	if _, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	p.forgive("request failed: Script") // expected, since scripts are disabled
	p.do(chromedp.Navigate(s.url + "/?view=lab&scenario=three-slots&seq=20&lang=en"))
	compareShown(t, "without scripts", p.shown(), in.atSeq(t, 20))
	p.button("Next event")
	p.wait(`location.search.includes("seq=21") && document.readyState === "complete"`)
	compareShown(t, "an event on", p.shown(), in.atSeq(t, 21))
	p.button("Previous event")
	p.wait(`location.search.includes("seq=20") && document.readyState === "complete"`)
	compareShown(t, "an event back", p.shown(), in.atSeq(t, 20))
}
