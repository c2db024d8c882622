package e2e

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestStoryOfAFastRun plays a short run as fast as it goes: where it ends, the story and the
// captions tell of the last tick and of no other.
func TestStoryOfAFastRun(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for name, end := range map[string]string{"three-slots": "14", "lk668-times": "40"} {
		p.open(s.url + "/?lang=en&scenario=" + name)
		p.choose("as fast as it goes")
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

// TestFrameAtAGlance opens a shared frame in the size that is handed out: every picture and
// what it did stand in it.
func TestFrameAtAGlance(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.EmulateViewport(960, 600))
	p.open(s.url + "/?scenario=three-slots&t=3&seq=73&lang=en&embed=1")
	for _, what := range []string{".picture svg", ".caption"} {
		if low := eval[float64](p, `Math.max(...[...document.querySelectorAll("`+what+`")].map((e) => e.getBoundingClientRect().bottom))`); low > 600 {
			t.Errorf("%s ends %v px below the upper edge of 600", what, low)
		}
	}
}

// TestTimeAndWaitingStandApart looks at pictures whose line holds the time and how many wait,
// with large numbers.
func TestTimeAndWaitingStandApart(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, lang := range []string{"en", "zh"} {
		p.open(s.url + "/?scenario=heartbeats&t=1925&lang=" + lang)
		if gaps := eval[[]float64](p, `[...document.querySelectorAll(".picture svg:has(.clock.flush)")].map((s) => s.querySelector(".waiting").getBoundingClientRect().left - s.querySelector(".clock").getBoundingClientRect().right)`); len(gaps) == 0 || slices.Min(gaps) < 2 {
			t.Errorf("%s: %v px are between them", lang, gaps)
		}
	}
}

// TestButtonsHideNoNumber holds the buttons in a picture's corners against the numbers of its
// slots, for rings of many sizes.
func TestButtonsHideNoNumber(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, name := range []string{"three-slots", "every-algorithm", "lk668-times", "stalled-driver", "heartbeats"} {
		p.open(s.url + "/?lang=en&scenario=" + name)
		if hidden := eval[[]string](p, `[...document.querySelectorAll('.lane[data-shape="ring"]')].flatMap((lane) => {
			const glyph = (b) => { const r = b.getBoundingClientRect(); const w = r.width / 4; return {left: r.left + w, right: r.right - w, top: r.top + w, bottom: r.bottom - w}; };
			const buttons = [...lane.querySelectorAll(".corner, .zooms button")].filter((b) => b.checkVisibility()).map(glyph);
			return [...lane.querySelectorAll(".numbers text")].filter((n) => {
				const r = n.getBoundingClientRect();
				return buttons.some((b) => b.left < r.right - 1 && b.right > r.left + 1 && b.top < r.bottom - 2 && b.bottom > r.top + 2);
			}).map((n) => lane.dataset.lane + " " + n.textContent);
		})`); len(hidden) > 0 {
			t.Errorf("%s: behind a button: %q", name, hidden)
		}
	}
}

// TestQuestionIsNotAnswered asks for a prediction: what comes next is not told beside it.
func TestQuestionIsNotAnswered(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?scenario=three-slots&t=8&lang=en")
	p.wait(`document.getElementById("story-next").checkVisibility()`)
	p.press("q")
	p.wait(`document.querySelector("#quiz .option") && !document.getElementById("story-next").checkVisibility()`)
}

// TestManyLanesAtAGlance looks at eighteen lanes: the numbers of ticks are in sight below the
// rows that are, and a timer's name is in one piece in a narrow table.
func TestManyLanesAtAGlance(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.look(view{1440, 900, "light", "en"})
	p.open(s.url + "/?scenario=every-algorithm&t=2&lang=en")
	if below := eval[float64](p, `document.querySelector(".line").getBoundingClientRect().bottom - document.getElementById("time-ticks").getBoundingClientRect().bottom`); below < -1 {
		t.Errorf("the numbers of ticks end %v px below what is seen", -below)
	}
	p.run(`for (const e of document.querySelectorAll(".places .timer")) e.textContent = "timer65944"`)
	if broken := eval[int](p, `[...document.querySelectorAll(".places .timer")].filter((e) => e.getClientRects().length !== 1).length`); broken > 0 {
		t.Errorf("%d names are broken", broken)
	}
}

// TestWorkloadSheetEndsInSight opens the workload in a window of common size: what applies it is
// to be seen.
func TestWorkloadSheetEndsInSight(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.look(view{1440, 900, "light", "en"})
	p.open(s.url + "/?scenario=heartbeats&lang=en")
	p.openWorkload("Workload")
	if low := eval[float64](p, `document.getElementById("workload-apply").getBoundingClientRect().bottom - innerHeight`); low > 0 {
		t.Errorf("it ends %v px below the window", low)
	}
}
