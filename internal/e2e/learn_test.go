package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// learn opens the article at a chapter.
func (p *tab) learn(s *server, lang, chapter string) {
	p.Helper()
	p.do(chromedp.Navigate(s.url + "/learn?lang=" + lang + "#" + chapter))
}

// tryOf is an expression for the text with the controls of a chapter, without line breaks.
func tryOf(chapter string) string {
	return fmt.Sprintf(`document.querySelector("#%s .try").innerText.replace(/\s+/g, " ")`, chapter)
}

// drawingOf is an expression for what the pictures of a chapter show: their dots, whether or not
// they are drawn on a canvas.
func drawingOf(chapter string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("#%s .picture")].map((p) => p.querySelector("svg").innerHTML + p.querySelector("canvas").toDataURL()).join()`, chapter)
}

// setKnob moves slider number n of a chapter to a position.
func (p *tab) setKnob(chapter string, n, position int) {
	p.Helper()
	p.run(fmt.Sprintf(`(() => { const s = document.querySelectorAll("#%s .knob input")[%d]; s.value = %d; s.dispatchEvent(new Event("input")); })()`, chapter, n, position))
}

// TestLearnControls uses every control of every chapter: the sentence and the picture change
// accordingly, with the figures of the run. The article is loaded again before a chapter that was changed.
func TestLearnControls(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	used := map[string]bool{}
	for _, c := range []struct {
		chapter string
		use     func(p *tab)
		want    string // in the sentence
	}{
		{"list", func(p *tab) { p.run(`document.querySelector("#list button[data-add]").click()`) }, "1,012 timers pending at 10 ms. This tick cost 1,013 steps."},
		{"heap", func(p *tab) { p.setKnob("heap", 0, 7) }, "the tick costs 22 steps."},
		{"wheel", func(p *tab) { p.setKnob("wheel", 0, 10) }, "It is due at 15 ms and goes to slot 15 mod 16 = 15;"},
		{"wheel", func(p *tab) { p.setKnob("wheel", 0, 16) }, "It would be due at 21 ms, a full turn of the hand or more ahead."},
		{"rounds", func(p *tab) { p.setKnob("rounds", 0, 0) }, "goes to slot 2. The hand passes it 7 times before it fires at 30 ms."},
		{"rounds", func(p *tab) { p.setKnob("rounds", 1, 16) }, "goes to slot 0. The hand passes it 1 time before it fires at 16 ms."},
		{"levels", func(p *tab) { p.setKnob("levels", 0, 16) }, "whose slots span 1, 16 and 256 ms. Timer A, scheduled at 0 ms with a delay of 100 ms, starts at level 1, cascades 1 time and fires at 100 ms."},
		{"levels", func(p *tab) { p.setKnob("levels", 1, 7) }, "starts at level 0, cascades 0 times and fires at 7 ms."},
		{"levels", func(p *tab) { p.run(`document.querySelector("#levels button[data-find]").click()`) }, "The tick at 64 ms cost 20 steps."},
		{"systems", func(p *tab) { p.setKnob("systems", 0, 2) }, "fires 50 ms late in Netty, 1 ms late in Linux at 1,000 ticks a second, 0 ms late in Kafka and 0 ms late in tokio."},
	} {
		if used[c.chapter] {
			p.do(chromedp.Navigate("about:blank"))
			clear(used)
		}
		p.learn(s, "en", c.chapter)
		used[c.chapter] = true
		before, drawn := eval[string](p, tryOf(c.chapter)), eval[string](p, drawingOf(c.chapter))
		if strings.Contains(before, c.want) {
			t.Errorf("%s says %q from the start", c.chapter, c.want)
		}
		c.use(p)
		p.wait(tryOf(c.chapter) + `.includes(` + quote(c.want) + `)`)
		p.wait(drawingOf(c.chapter) + ` !== ` + quote(drawn))
	}
}

// TestLearnPicturesStay opens the article: a picture that plays is above the fold, and each picture is in view while its text
// scrolls, with the ring and the name of the timer in the text. Its link opens the same scenario in the laboratory.
func TestLearnPicturesStay(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newMovingTab(t)
	for _, v := range []view{{1366, 768, "light", "en"}, {390, 844, "dark", "zh"}} {
		block := "start" // beside the picture
		if v.wide < 1000 {
			block = "end" // below it
		}
		p.look(v)
		p.do(chromedp.Navigate(s.url + "/learn?lang=" + v.lang))
		p.wait(`document.querySelector(".opening [data-clock]").textContent !== "0 ms"`)
		if low := eval[float64](p, `document.querySelector(".opening .picture").getBoundingClientRect().bottom`); low > float64(v.high) {
			t.Errorf("%s: the first picture ends at %.0f", v, low)
		}
		for _, chapter := range []string{"heap", "wheel", "rounds", "levels", "systems"} {
			p.run(`document.querySelector("#` + chapter + ` .try").scrollIntoView({block: "` + block + `"})`)
			at := eval[[4]float64](p, `(({ top, bottom }, knob) => [top, bottom, knob.top, knob.bottom])(document.querySelector("#`+chapter+` .sketches").getBoundingClientRect(), document.querySelector("#`+chapter+` .knob").getBoundingClientRect())`)
			if seen := min(at[1], float64(v.high)) - max(at[0], 0); seen < 0.9*(at[1]-at[0]) || v.wide < 1000 && at[2] < at[1] {
				t.Errorf("%s: beside the text of %s its picture is at %.0f to %.0f, the slider at %.0f", v, chapter, at[0], at[1], at[2])
			}
		}
		if n := eval[int](p, `[...document.querySelectorAll("#heap, #wheel, #levels")].filter((e) => e.querySelector(".tag[visibility=visible] text")?.textContent === "A").length`); n != 3 {
			t.Errorf("%s: the timer A has a ring in %d of 3 pictures", v, n)
		}
	}
	p.run(`document.querySelector('#levels [data-do="next"]').click()`)
	p.wait(`document.querySelector("#levels [data-clock]").textContent === "61 ms" && document.querySelector("#levels [data-lab]").href.includes("t=61#share=1")`)
	p.open(eval[string](p, `document.querySelector("#levels [data-lab]").href`))
	p.wait(`document.querySelector("main").dataset.now === "61" && document.querySelectorAll("section[data-lane]").length === 1 && document.getElementById("problem").hidden`)
}

// TestLearnTakesAway adds 1,000 timers to the slot that cascades: the tick costs more. Pressing the
// button again removes them, and everything is as before.
func TestLearnTakesAway(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.learn(s, "en", "levels")
	press := func(what string) { p.run(`document.querySelector("#levels button[data-` + what + `]").click()`) }
	press("find")
	p.wait(tryOf("levels") + `.includes("at 64 ms cost 20 steps")`)
	before := eval[string](p, tryOf("levels"))
	press("add")
	p.wait(tryOf("levels") + `.includes("at 64 ms cost 2,885 steps")`)
	if got := eval[string](p, `document.querySelector("#levels button[data-add]").ariaPressed`); got != "true" {
		t.Errorf("the pressed button is %s", got)
	}
	press("add")
	p.wait(tryOf("levels") + ` === ` + quote(before))
}

// TestLearnPlayer moves the time of a picture by its buttons, by its slider, and by playing. The
// session then serves the picture of another chapter, and the first picture keeps its state. Back
// at its first instant, a picture and its text are as the server rendered them.
func TestLearnPlayer(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newMovingTab(t)
	p.learn(s, "en", "rounds")
	const clock = `document.querySelector("#rounds [data-clock]").textContent`
	first := eval[string](p, tryOf("rounds"))
	do := func(chapter, what string) {
		p.run(fmt.Sprintf(`document.querySelector('#%s [data-do="%s"]').click()`, chapter, what))
	}
	do("rounds", "next")
	p.wait(clock + ` === "21 ms"`)
	p.wait(tryOf("rounds") + `.includes("Up to 21 ms")`)
	do("rounds", "back")
	p.wait(clock + ` === "20 ms"`)
	p.wait(tryOf("rounds") + ` === ` + quote(first))
	p.run(`(() => { const s = document.querySelector('#rounds [data-do="seek"]'); s.value = 64; s.dispatchEvent(new Event("input")); s.dispatchEvent(new Event("change")); })()`)
	p.wait(tryOf("rounds") + `.includes("Up to 64 ms, 41 timers have fired")`)
	do("wheel", "play")
	p.wait(`document.querySelector('#wheel [data-do="play"]').textContent === "Pause"`)
	p.wait(`document.querySelector("#wheel [data-clock]").textContent === "7 ms"`)
	do("rounds", "back")
	p.wait(clock + ` === "63 ms"`)
	if got := eval[string](p, `document.querySelector('#wheel [data-do="play"]').textContent`); got != "Play" {
		t.Errorf("the button of the picture that the session left says %s", got)
	}
}

// TestLearnRefused asks for a delay that no scenario may have: a line says why, the picture stays,
// and the article accepts the next use of a control. No session is opened before a picture is used.
func TestLearnRefused(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.learn(s, "en", "wheel")
	p.frames()
	if n := p.statesReceived(); n != 0 {
		t.Errorf("the page has %d states although nothing was used", n)
	}
	const line = `document.querySelector("[data-lost]").textContent`
	p.setKnob("wheel", 0, 10)
	p.wait(tryOf("wheel") + `.includes("goes to slot 15 mod 16 = 15;")`)
	drawn := eval[string](p, drawingOf("wheel"))
	p.run(`(() => { const s = document.querySelector("#wheel .knob input"); s.max = 1e19; s.value = 1e19; s.dispatchEvent(new Event("input")); })()`)
	p.wait(line + ` !== ""`)
	if got := eval[string](p, drawingOf("wheel")); got != drawn {
		t.Error("the picture of a refused scenario has changed")
	}
	p.setKnob("wheel", 0, 9)
	p.wait(line + ` === "" && ` + tryOf("wheel") + `.includes("goes to slot 14 mod 16 = 14;")`)
}

// TestLearnByKeyboard moves a slider in a sentence, opens an answer and plays, by keys alone.
func TestLearnByKeyboard(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.learn(s, "en", "wheel")
	p.run(`document.querySelector("#wheel .knob input").focus()`)
	p.press(kb.ArrowRight)
	p.wait(tryOf("wheel") + `.includes("goes to slot 13 mod 16 = 13;")`)
	if got := eval[string](p, `document.activeElement.ariaLabel + " " + document.activeElement.ariaValueText`); got != "Delay of timer A in ms 8" {
		t.Errorf("the slider is %q", got)
	}
	p.run(`document.querySelector('#wheel [data-do="play"]').focus()`)
	p.press(" ")
	p.wait(`document.querySelector("#wheel [data-clock]").textContent === "6 ms"`)
	p.run(`document.querySelector("#wheel .ask details:nth-of-type(2) summary").focus()`)
	p.press(kb.Enter)
	p.wait(`document.querySelector("#wheel details.right p").checkVisibility()`)
	if got := eval[string](p, `document.querySelector("#wheel details.right p").innerText`); !strings.HasPrefix(got, "Right. (50 + 20) mod 60 = 10.") {
		t.Errorf("the answer says %q", got)
	}
}

// TestLearnIsAccessible checks the article with axe-core, with an answer open and after a change,
// and for elements wider than the window. The short form does not run axe-core in the widest window.
func TestLearnIsAccessible(t *testing.T) {
	soak(t)
	t.Parallel()
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t)
	p := newTab(t)
	for k, v := range some(3,
		view{1366, 768, "light", "en"}, view{360, 740, "dark", "zh"}, view{3840, 2160, "dark", "en"},
		view{360, 740, "light", "en"}, view{1366, 768, "dark", "zh"}, view{1024, 768, "light", "zh"}) {
		p.look(v)
		p.learn(s, v.lang, "list")
		p.run(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
		had := eval[string](p, tryOf("list"))
		p.run(`document.querySelector("#list button[data-add]").click()`)
		p.wait(tryOf("list") + ` !== ` + quote(had))
		if k < 2 || longForm() {
			p.run(string(script))
			p.axe(v.String())
		}
		if wide := eval[int64](p, `document.documentElement.scrollWidth`); wide > v.wide {
			t.Errorf("%s: the article is %d px wide", v, wide)
		}
		if got := eval[[]string](p, `[...document.querySelectorAll(".picture")].filter((b) => b.getBoundingClientRect().width < 130).map((b) => b.closest("section").id)`); len(got) > 0 {
			t.Errorf("%s: the pictures of %v are less than 130 px wide", v, got)
		}
	}
}

// TestLearnWithoutScripts reads the article without scripts: text, figures, pictures and answers are
// there, and no control that would do nothing.
func TestLearnWithoutScripts(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	if _, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{"en", "zh"} {
		p.learn(s, lang, "levels")
		got := eval[struct {
			Chapters, Dots, Answers, Controls int
			Sentence                          string
		}](p, `({
			Chapters: document.querySelectorAll("section.chapter[id]").length,
			Dots: [...document.querySelectorAll(".chapter[id]")].filter((c) => c.querySelectorAll(".dot, .bundle").length >= 5).length,
			Answers: document.querySelectorAll(".ask details").length,
			Controls: [...document.querySelectorAll("main button, main input")].filter((e) => e.checkVisibility()).length,
			Sentence: `+tryOf("levels")+`,
		})`)
		if got.Chapters != 6 || got.Dots != 6 || got.Answers != 18 || got.Controls != 0 {
			t.Errorf("%s: %+v", lang, got)
		}
		if lang == "en" && !strings.Contains(got.Sentence, "three levels of 8 slots, level 0 outermost, whose slots span 1, 8 and 64 ms. Timer A, scheduled at 0 ms with a delay of 100 ms, starts at level 2") {
			t.Errorf("without scripts: %q", got.Sentence)
		}
	}
}

// TestLearnPrints prints the article: all answers are printed with their reasons, and no control
// is.
func TestLearnPrints(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.look(view{1366, 768, "dark", "en"})
	p.learn(s, "en", "list")
	p.media("print")
	if got := eval[string](p, `[...document.querySelectorAll(".clockwork, .knob input")].filter((e) => e.checkVisibility()).map((e) => e.outerHTML).join("\n")`); got != "" {
		t.Errorf("on paper: %s", got)
	}
	if got := eval[int64](p, `[...document.querySelectorAll(".ask details p")].filter((e) => e.getBoundingClientRect().height > 10).length`); got != 18 {
		t.Errorf("%d reasons are on paper, want 18", got)
	}
	if _, err := chromedp.Call(p.ctx, page.PrintToPDF, page.PrintToPDFParams{}); err != nil {
		t.Fatal(err)
	}
}
