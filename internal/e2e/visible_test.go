package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestStoryOfAFastRun plays a short run as fast as possible: at its end the story and the captions
// are about the last tick only.
func TestStoryOfAFastRun(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for name, end := range map[string]string{"three-slots": "14", "lk668-times": "40"} {
		p.open(s.url + "/?view=lab&lang=en&scenario=" + name)
		p.choose("as fast as possible")
		p.button("Play")
		p.wait(`document.querySelector("main").dataset.now === "` + end + `"`)
		p.settle()
		p.wait(`document.getElementById("story-where").textContent.startsWith("t = ` + end + `") || document.getElementById("story-head").textContent.startsWith("The end")`)
		got := eval[string](p, `document.getElementById("story-where").textContent + " " + document.getElementById("story-head").textContent + [...document.querySelectorAll(".caption")].map((c) => " / " + c.textContent).join("")`)
		if wrong := eval[bool](p, `[...document.querySelectorAll(".caption")].some((c) => /[2-9]\d* (fired|placed|rejected)/.test(c.textContent))`); wrong {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestFrameShowsPicturesAndCaptions opens a shared frame in its offered size: every picture and its caption are
// visible.
func TestFrameShowsPicturesAndCaptions(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.EmulateViewport(960, 600))
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3&seq=73&lang=en&embed=1")
	for _, what := range []string{".picture svg", ".caption"} {
		if low := eval[float64](p, `Math.max(...[...document.querySelectorAll("`+what+`")].map((e) => e.getBoundingClientRect().bottom))`); low > 600 {
			t.Errorf("%s ends %v px below the upper edge of 600", what, low)
		}
	}
}

// TestTimeAndPendingAreSeparated checks the line with the time and the number of pending timers in
// pictures with large numbers.
func TestTimeAndPendingAreSeparated(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, lang := range []string{"en", "zh"} {
		p.open(s.url + "/?scenario=heartbeats&t=1925&view=gallery&lang=" + lang)
		if gaps := eval[[]float64](p, `[...document.querySelectorAll(".picture svg:has(.clock.flush)")].map((s) => s.querySelector(".waiting").getBoundingClientRect().left - s.querySelector(".clock").getBoundingClientRect().right)`); len(gaps) == 0 || slices.Min(gaps) < 2 {
			t.Errorf("%s: %v px are between them", lang, gaps)
		}
	}
}

// TestButtonsHideNoNumber checks that the buttons in a picture's corners do not cover numbers of
// slots, for rings of many sizes, in both layouts.
func TestButtonsHideNoNumber(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, name := range []string{"three-slots", "every-algorithm", "lk668-times", "stalled-driver", "heartbeats", "request-timeouts"} {
		p.open(s.url + "/?view=lab&lang=en&scenario=" + name)
		for _, layout := range []string{"first", "other"} {
			if hidden := eval[[]string](p, `[...document.querySelectorAll('.lane[data-shape="ring"]')].flatMap((lane) => {
				const glyph = (b) => { const r = b.getBoundingClientRect(); const w = r.width / 4; return {left: r.left + w, right: r.right - w, top: r.top + w, bottom: r.bottom - w}; };
				const buttons = [...lane.querySelectorAll(".corner, .zooms button")].filter((b) => b.checkVisibility()).map(glyph);
				return [...lane.querySelectorAll(".numbers text")].filter((n) => {
					const r = n.getBoundingClientRect();
					return buttons.some((b) => b.left < r.right - 1 && b.right > r.left + 1 && b.top < r.bottom - 2 && b.bottom > r.top + 2);
				}).map((n) => lane.dataset.lane + " " + n.textContent);
			})`); len(hidden) > 0 {
				t.Errorf("%s, %s layout: behind a button: %q", name, layout, hidden)
			}
			p.press("v")
			p.settle()
		}
	}
}

// TestWorkloadSheetEndsInSight opens the workload in a window of a common size: the Apply button is
// visible.
func TestWorkloadSheetEndsInSight(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.look(view{1440, 900, "light", "en"})
	p.open(s.url + "/?view=lab&scenario=heartbeats&lang=en")
	p.openWorkload("Workload")
	if low := eval[float64](p, `document.getElementById("workload-apply").getBoundingClientRect().bottom - innerHeight`); low > 0 {
		t.Errorf("it ends %v px below the window", low)
	}
}

// TestNextIsOfThisInstant steps while the server is slow to answer: the next event of the previous
// position is no longer shown.
func TestNextIsOfThisInstant(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=3&lang=en")
	const next = `document.getElementById("story-next")`
	p.wait(next + `.checkVisibility()`)
	p.run(`{ const real = fetch; window.held = []; window.fetch = async (what, how) => {
		if (String(what).includes("/api/step")) await new Promise((go) => held.push(go));
		return real(what, how);
	}; }`)
	p.press(kb.ArrowRight)
	p.wait(next + `.textContent === "What next? → …"`)
	p.wait(`(held.forEach((go) => go()), ` + next + `.textContent.startsWith("What next? → t = 5"))`)
}

// TestStoryOfAStalledDriver goes into a stall in which timers are due. The story says that no hand
// moved.
func TestStoryOfAStalledDriver(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for at, want := range map[string]string{"10": "The clocks of the lanes are stopped; nothing fires.", "28": "The hands moved on; nothing was due."} {
		p.open(s.url + "/?view=lab&scenario=stalled-driver&lang=en&t=" + at)
		p.wait(`document.getElementById("story-head").textContent === "` + want + `"`)
	}
}

// TestLongSideList shows a ring with more timers in its side list than can be drawn:
// their number is shown, and the button to enlarge, which has the focus, is visible beside it.
func TestLongSideList(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=hundred-thousand&t=1000&lang=en")
	held := eval[string](p, `document.querySelector('[data-lane=simple] tr[data-level="-1"]').dataset.count`)
	if got := eval[string](p, `document.querySelector("[data-lane=simple] .held").textContent`); got != held {
		t.Errorf("the picture shows %q for %s timers", got, held)
	}
	p.run(`document.querySelector("[data-lane=simple] [data-zoom=in]").focus()`) // buttons of a lane appear with the focus
	if free := eval[bool](p, `(() => {
		const at = (of) => document.querySelector("[data-lane=simple] " + of).getBoundingClientRect();
		const button = at("[data-zoom=in]");
		return getComputedStyle(document.querySelector("[data-lane=simple] .zooms")).opacity === "1" &&
			[".held", ".note"].every((words) => at(words).right <= button.left || at(words).bottom <= button.top);
	})()`); !free {
		t.Error("the button to enlarge is not seen, or drawn over it")
	}
}

// TestLabelsStayInTheirDots measures names of three digits: they do not extend beyond the colour of
// their dots.
func TestLabelsStayInTheirDots(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=lateness&t=20&lang=en")
	if wide := eval[[]string](p, `[...document.querySelectorAll(".picture .dot")].filter((d) => d.querySelector("text:not(.many)")?.getBBox().width > 2 * d.querySelector(".body").r.baseVal.value).map((d) => d.textContent)`); len(wide) > 0 {
		t.Errorf("wider than their dots: %q", wide)
	}
}

// TestFiguresAreWhole checks numbers and their labels in narrow cards: no number is truncated, no
// words touch each other, and a timer's name is not broken.
func TestFiguresAreWhole(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.look(view{1280, 900, "light", "en"})
	var sizes []size
	for _, wide := range some(2, 1280, 1440, 1366, 1110, int64(1920)) {
		sizes = append(sizes, size{wide, 900})
	}
	p.atSizes(s.url+"/?lang=en&view=gallery&scenario=", sizes, []string{"heartbeats&t=2200", "lk668-remove-twice&t=9"},
		func(p *tab, _ size, what string) {
			p.run(`((fold) => fold.open || fold.querySelector("summary").click())(document.querySelector(".fold"))`)
			p.settle()
			if cut := eval[[]string](p, `[...document.querySelectorAll(".figures :is(dt, dd)")].filter((e) => {
				const text = document.createRange();
				text.selectNodeContents(e);
				return text.getBoundingClientRect().width > e.getBoundingClientRect().width + 0.5;
			}).map((e) => e.textContent)`); len(cut) > 0 {
				t.Errorf("%s: wider than their boxes: %q", what, cut)
			}
			if broken := eval[[]string](p, `[...document.querySelectorAll(".places .timer")].filter((e) => e.getClientRects().length > 1).map((e) => e.textContent)`); len(broken) > 0 {
				t.Errorf("%s: broken: %q", what, broken)
			}
		})
}

// TestBarIsOneLine checks the bar in windows of common widths: a second line would take space from
// the pictures.
func TestBarIsOneLine(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, lang := range []string{"en", "zh"} {
		p.open(s.url + "/?view=lab&scenario=stalled-driver&lang=" + lang)
		for _, wide := range []int64{1280, 1366, 1440, 1536, 1600, 1920} {
			p.look(view{wide, 700, "light", lang})
			if lines := eval[int](p, `new Set([...document.querySelectorAll(".bar nav > *")].map((e) => e.getBoundingClientRect()).filter((b) => b.height > 0).map((b) => Math.round((b.top + b.bottom) / 20))).size`); lines > 1 {
				t.Errorf("%d px, %s: the bar has %d lines", wide, lang, lines)
			}
		}
	}
}

// TestLongWords opens a scenario with long words and nothing else: there is no horizontal
// scrolling, and no step is mentioned if there is none.
func TestLongWords(t *testing.T) {
	soak(t)
	t.Parallel()
	word := strings.Repeat("address/", 60)
	path := filepath.Join(t.TempDir(), "long.json")
	text := `{"wheelscope":1,"title":"` + word + `","summary":"` + word + `","question":"` + word + `","until":9,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[]}}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, path) // ends after the tab
	p := newTab(t)
	p.look(view{1440, 900, "light", "en"})
	p.open(s.url + "/?view=lab&lang=en")
	p.wait(`document.getElementById("summary").textContent !== ""`)
	if over := eval[float64](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("the page is %v px wider than the window", over)
	}
	if step := p.text("story-step"); step != "" {
		t.Errorf("of a run without steps it says %q", step)
	}
}

// writtenLeast is the least font size in a picture, in pixels, except for names in dots.
const writtenLeast = 8

// TestTextIsLegible measures the text in small pictures of wheels of several levels.
func TestTextIsLegible(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	newTab(t).atSizes(s.url+"/?view=lab&lang=en&scenario=", []size{{1120, 900}, {1440, 900}}, []string{
		"three-slots&t=3", "request-timeouts&t=500", "cascade-storm&t=6", "hundred-thousand&t=2000", "every-algorithm&t=6",
	}, func(p *tab, _ size, what string) {
		const small = `[...document.querySelectorAll("section[data-lane] .picture > svg text")].filter((e) => !e.closest(".dot, .bundle") && e.textContent && e.getBoundingClientRect().width > 0)
				.map((e) => [parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a, e.textContent]).filter(([size]) => size < %d).map(([size, text]) => size.toFixed(1) + " px: " + text)`
		if all := eval[[]string](p, fmt.Sprintf(small, writtenLeast)); len(all) > 0 {
			t.Errorf("%s: %q", what, all)
		}
	})
}
