package e2e

import (
	"bytes"
	"image/color"
	"image/png"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const paper = `getComputedStyle(document.body).backgroundColor`

// TestThemes selects colours in the menu, by keyboard; each choice survives a reload.
func TestThemes(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.look(view{1440, 900, "light", "en"})
	p.open(s.url + "/?view=lab&scenario=three-slots")
	seen := map[string]string{}
	for _, theme := range []string{"light", "dark", "contrast"} {
		p.do(chromedp.Focus(chromedp.ID("theme")))
		p.press(kb.Enter)
		p.wait(`document.getElementById("theme-menu").matches(":popover-open")`)
		p.do(chromedp.Click(chromedp.CSS("#theme-menu [value=" + theme + "]")))
		p.press(kb.Escape)
		p.wait(`!document.getElementById("theme-menu").matches(":popover-open")`)
		chosen := eval[string](p, paper)
		if other, ok := seen[chosen]; ok {
			t.Errorf("%s has the colours of %s", theme, other)
		}
		seen[chosen] = theme
		p.live(chromedp.Reload())
		if now := eval[string](p, paper); now != chosen {
			t.Errorf("%s: after a reload the colours are %s, chosen were %s", theme, now, chosen)
		}
		if got := eval[string](p, `document.querySelector("#theme-menu :checked").value`); got != theme {
			t.Errorf("after a reload the menu says %s, chosen was %s", got, theme)
		}
	}
	p.run(`document.querySelector("#theme-menu [value=auto]").click()`)
	if now := eval[string](p, paper); seen[now] != "light" {
		t.Errorf("as the system, which is light, the colours are %s", now)
	}
}

// TestForcedColours shows the page in the system's colours: text is visible, and the pictures keep
// their colours.
func TestForcedColours(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.media("", feature{"forced-colors", "active"}, feature{"prefers-color-scheme", "dark"})
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3")
	if !eval[bool](p, `matchMedia("(forced-colors: active)").matches`) {
		t.Fatal("the browser does not force its colours")
	}
	if same := eval[bool](p, `getComputedStyle(document.querySelector("#title")).color === `+paper); same {
		t.Error("the title has the colour of the paper")
	}
	if n := eval[int](p, `new Set([...document.querySelectorAll(".picture .dots .dot .body")].map((c) => getComputedStyle(c).fill)).size`); n < 3 {
		t.Errorf("the timers have %d colours", n)
	}
}

// TestForcedColoursFilled shows the page in the system's colours, light and dark: filled buttons
// and messages have visible text and a visible edge, including disabled buttons.
func TestForcedColoursFilled(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, scheme := range []string{"light", "dark"} {
		p.media("", feature{"forced-colors", "active"}, feature{"prefers-color-scheme", scheme})
		p.open(s.url + "/?view=lab&scenario=three-slots&t=3")
		if !eval[bool](p, `document.querySelector("#until-run").checkVisibility()`) {
			p.unfold()
		}
		for _, b := range [][2]string{{"Story", "#story-lanes [aria-pressed=true]"}, {"Story", "#until-run"}, {"Timer", "#add-do"}} {
			tab, button := b[0], b[1]
			p.openTab(tab)
			if words, edge := p.colours(button); words < 2 || edge < 2 {
				t.Errorf("%s: %s has %d colours where its words stand, and %d from its middle out", scheme, button, words, edge)
			}
		}
		p.run(`document.querySelector("#add-do").disabled = true`)
		if words, _ := p.colours("#add-do"); words < 2 {
			t.Errorf("%s: the words of a button that can't be pressed are not seen", scheme)
		}
		p.press("u") // there is nothing to undo; a message says so
		p.wait(`!document.getElementById("toast").hidden`)
		if words, edge := p.colours("#toast"); words < 2 || edge < 2 {
			t.Errorf("%s: the message has %d colours where its words stand, and %d from its middle out", scheme, words, edge)
		}
	}
}

// TestForcedColoursOfATheme selects a theme that contrasts with the system's colours: drawings and
// the icons of buttons are distinguishable from the background.
func TestForcedColoursOfATheme(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3")
	for _, c := range [][2]string{{"light", "dark"}, {"light", "contrast"}, {"dark", "light"}, {"dark", "auto"}} {
		scheme, theme := c[0], c[1]
		p.media("", feature{"forced-colors", "active"}, feature{"prefers-color-scheme", scheme})
		p.run(`document.querySelector("#theme-menu [value=` + theme + `]").click()`)
		p.settle()
		for _, low := range eval[[]string](p, lowContrasts) {
			t.Errorf("%s on a system that is %s: %s", theme, scheme, low)
		}
	}
}

// lowContrasts lists the elements with a contrast below 3 : 1 to their background.
const lowContrasts = `(() => {
	const light = (colour) => {
		const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((v) => v / 255).map((v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4));
		return .2126 * r + .7152 * g + .0722 * b;
	};
	const of = (selector, part) => getComputedStyle(document.querySelector(selector), part), paper = ` + paper + `;
	const pairs = [["the cursor's line", of("#future", "::before").backgroundColor, paper]];
	const words = "[data-lane=simple] .clock", name = "[data-lane=heap] .dot";
	pairs.push([words, of(words).fill, paper], [name, of(name + " text").fill, of(name + " .body").fill]);
	for (const sign of ["[data-do=step-next] .glyph", "#play .glyph"]) pairs.push([sign, of(sign).fill, of(sign).backgroundColor]);
	for (const name of ["hand", "move", "bad", "waits", "lane-0", "lane-4", "lane-5"]) {
		const probe = document.body.appendChild(document.createElement("i"));
		probe.style.cssText = "forced-color-adjust: none; color: var(--" + name + ")";
		pairs.push([name, getComputedStyle(probe).color, paper]);
		probe.remove();
	}
	return pairs.filter(([, a, b]) => (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05) < 3).map((pair) => pair.join(" "));
})()`

// colours counts the colours in the text of a button, and those from a point inside the button,
// next to its text, to the page around it.
func (p *tab) colours(button string) (words, edge int) {
	p.Helper()
	p.run(`document.documentElement.style.scrollbarWidth = "none"`) // as in screenshot: nothing moves after it was measured
	p.run(`document.querySelector("` + button + `").scrollIntoView({ block: "center" })`)
	at := eval[[]float64](p, `(() => {
		const button = document.querySelector("`+button+`"), range = document.createRange();
		range.selectNodeContents(button.firstChild);
		const [b, w] = [button.getBoundingClientRect(), range.getBoundingClientRect()];
		return [w.left, w.right, w.top, w.bottom, b.left - 4, (b.left + w.left) / 2];
	})()`)
	img, err := png.Decode(bytes.NewReader(p.screenshot()))
	if err != nil {
		p.Fatal(err)
	}
	seen := func(left, right, top, bottom float64) int {
		colours := map[color.Color]bool{}
		for x := int(left); x < int(right); x++ {
			for y := int(top); y < int(bottom); y++ {
				colours[img.At(x, y)] = true
			}
		}
		return len(colours)
	}
	middle := (at[2] + at[3]) / 2
	return seen(at[0]+1, at[1]-1, at[2]+2, at[3]-2), seen(at[4], at[5], middle, middle+1)
}

// TestLittleMotion selects less motion in the menu: a step that moves timers leaves no animation
// running, and the picture shows the flows of a cascade with the number of timers.
func TestLittleMotion(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newMovingTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	p.run(`document.querySelector("#theme-menu [name=motion]").click()`)
	p.press(kb.ArrowRight)
	p.atTick(3)
	if n := eval[int](p, `document.getAnimations().length`); n != 0 {
		t.Errorf("%d animations run", n)
	}
	p.open(s.url + "/?scenario=cascade-storm&t=511&view=stage")
	p.press(kb.ArrowRight)
	p.atTick(512)
	p.settle()
	if got := p.flow("levels-of-16"); got.Arrows < 16 || got.Opacity != 1 || eval[int](p, `document.getAnimations().length`) != 0 {
		t.Errorf("a cascade with little motion: %+v", got)
	}
}
