package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// readFigures returns the numbers of the cards and of the table of costs at the cursor.
const readFigures = `[...document.querySelectorAll("section[data-lane]")].map((s) => s.dataset.lane + ": " + s.querySelector("[data-caption]").textContent).join("\n") + "\n" +
	[...document.querySelectorAll("#so-far tbody tr")].map((r) => r.textContent).join("\n") + "\n" +
	[...document.querySelectorAll("section[data-lane] .flows")].map((g) => g.closest("section").dataset.lane + ": arrows " + g.querySelectorAll(".trail").length +
		", from slots " + [...g.querySelectorAll("text:not(.arrived)")].map((e) => e.textContent).join(" ") + g.innerHTML).join("\n")`

// TestFiguresAtAnInstant moves the cursor to the same position in several ways. Captions, costs and
// the arrows of cascades must always be those of the whole tick, even if it has more events than
// are sent individually.
func TestFiguresAtAnInstant(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	ways := []struct {
		name string
		come func()
	}{
		{"opened at the tick", func() { p.open(s.url + "/?view=lab&scenario=cascade-storm&t=512") }},
		{"a tick forward", func() { p.open(s.url + "/?view=lab&scenario=cascade-storm&t=511"); p.press(kb.ArrowRight) }},
		{"a tick back", func() { p.open(s.url + "/?view=lab&scenario=cascade-storm&t=513"); p.press(kb.ArrowLeft) }},
		{"step by step", func() {
			p.open(s.url + "/?view=lab&scenario=cascade-storm&t=511")
			for range 3 {
				p.button("Step forward")
				p.settle()
			}
		}},
		{"reloaded", func() { p.open(s.url + "/?view=lab&scenario=cascade-storm&t=512"); p.live(chromedp.Reload()) }},
	}
	first := ""
	for _, way := range ways {
		way.come()
		p.atTick(512)
		p.settle()
		got := eval[string](p, readFigures)
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%s:\n%.3000s\nwant\n%.3000s", way.name, got, first)
		}
	}
	file := openFile(t, "cascade-storm", "#seq=5379&lang=en&view=lab") // the last event of tick 512
	file.atTick(512)
	file.settle()
	if got := eval[string](file, readFigures); got != first {
		t.Errorf("in an exported file:\n%.3000s\nwant\n%.3000s", got, first)
	}
	for _, want := range []string{"500 timers move", "63 timers move", "levels-of-16: arrows 20, from slots 500", "levels-of-64: arrows 33, from slots 63"} {
		if !strings.Contains(first, want) {
			t.Errorf("%q is not in\n%.3000s", want, first)
		}
	}
}

// readInstant is a function in the page that returns the parts of the first shown lane that belong
// to a different instant from that of the picture, or nothing.
const readInstant = `() => {
	const lane = document.querySelector("section.large") ?? document.querySelector("section[data-lane]");
	const [tick, live, fired, caption, waiting] = ["#now", "[data-total=live]", "[data-total=fired]", "[data-caption]", ".waiting"].map(
		(place) => (place[0] === "#" ? document : lane).querySelector(place).textContent);
	const mean = Number(lane.querySelector("[data-mean]").textContent.replaceAll(",", ""));
	const total = Number(lane.querySelector("[data-cost=total]").textContent);
	const sum = document.getElementById("story-lines").textContent.match(/t = (\d+)/)?.[1] ?? tick;
	const wrong = [];
	if (parseInt(waiting) !== Number(live)) wrong.push("the picture has " + waiting);
	if (/ fired so far/.test(caption) && parseInt(caption) !== Number(fired)) wrong.push("the caption has " + caption + ", fired " + fired);
	if (Math.abs(mean - total / (Number(tick) + 1)) > 0.06 * mean + 0.01) wrong.push("the mean is " + mean + " of " + total);
	if (Number(sum) > Number(tick)) wrong.push("the story is of t = " + sum);
	return wrong.length ? "t = " + tick + ", " + live + " pending: " + wrong : "";
}`

// TestFiguresWhilePlaying checks in every frame, at a slow and at a fast rate, that picture,
// caption and figures are of one instant, and that the story follows.
func TestFiguresWhilePlaying(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	for name, until := range map[string]int{"hundred-thousand": 20000, "cascade-storm": 60, "three-slots": 4} {
		t.Run(name, func(t *testing.T) {
			p := newMovingTab(t)
			p.open(s.url + "/?lang=en&view=stage&scenario=" + name)
			p.run(`window.apart = []; window.stories = new Set(); (function look() {
				const wrong = (` + readInstant + `)();
				if (wrong) window.apart.push(wrong);
				window.stories.add(document.getElementById("story-lines").textContent + document.getElementById("story-where").textContent);
				requestAnimationFrame(look);
			})()`)
			p.button("Play")
			p.wait(fmt.Sprintf(`Number(document.querySelector("main").dataset.now) > %d`, until))
			apart := eval[[]string](p, `window.apart`)
			if len(apart) > 0 {
				t.Errorf("in %d frames: %.600q", len(apart), apart)
			}
			if n := eval[int](p, `window.stories.size`); n < 3 {
				t.Errorf("%d stories", n)
			}
		})
	}
}

// TestTitleOfTheFirstColumn checks the column's title if a wheel adds levels: "Level · slot".
func TestTitleOfTheFirstColumn(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=kafka-ranges")
	for range 6 {
		p.button("Step forward")
		p.settle()
		if wrong := eval[[]string](p, `[...document.querySelectorAll("section[data-lane] .places")].filter((b) => {
			const both = [...b.querySelectorAll("tbody tr th, tbody tr td:first-child")].some((c) => c.textContent.includes(" · "));
			return both && b.querySelector("thead th").textContent === "Slot";
		}).map((b) => b.textContent.slice(0, 60))`); len(wrong) > 0 {
			t.Fatalf("%q", wrong)
		}
	}
}

// TestArrowsStay selects other lanes and another theme, and prints the page: the arrows of the
// cascade remain.
func TestArrowsStay(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=cascade-storm&t=512&lang=en")
	p.settle()
	const arrows = `[...document.querySelectorAll(".flows .trail")].filter((e) => e.checkVisibility()).length`
	want := eval[int](p, arrows)
	if want < 30 {
		t.Fatalf("%d arrows", want)
	}
	for what, do := range map[string]func(){
		"the second lane is large": func() { p.press("2") }, "the gallery is open": func() { p.press("v") },
		"the theme is dark": func() { p.run(`document.querySelector("#theme-menu [value=dark]").click()`) },
	} {
		do()
		p.settle()
		if got := eval[int](p, arrows); got != want {
			t.Errorf("%s: %d arrows, were %d", what, got, want)
		}
	}
	p.run(`addEventListener("beforeprint", () => { window.printed = ` + arrows + `; })`)
	if _, err := chromedp.Call(p.ctx, page.PrintToPDF, page.PrintToPDFParams{}); err != nil {
		t.Fatal(err)
	}
	if got := eval[int](p, `window.printed`); got != want {
		t.Errorf("on paper: %d arrows, were %d", got, want)
	}
}
