package e2e

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openQuestion is an expression that is true when a question waits for an answer.
const openQuestion = `document.querySelector("main").dataset.asking === "open" && document.querySelector("#ask-choices .choice, .asked .ask-foot")`

// keepQuestions keeps the last question that the server has sent, as window.asked.
const keepQuestions = `const answer = fetch; window.fetch = async (...request) => {
	const got = await answer(...request);
	if (String(request[0]).includes("/api/quiz?")) window.asked = await got.clone().json();
	return got;
}`

// leaks is an expression for what answers the open question too early.
const leaks = `(() => {
	const { asked } = window, main = document.querySelector("main"), faults = [];
	for (const part of document.querySelectorAll(".player, .side, .compare, .line, .slot-card, .node-card, .caption-box, .sums, .fold, .places, #timeline, #story-code, #verdict, .queues")) {
		if (part.checkVisibility()) faults.push(part.className || part.id);
	}
	const { from } = asked, [now, seq] = [Number(main.dataset.now), Number(main.dataset.seq)];
	if (from.seq > 0 ? seq !== from.seq : now !== Math.max(from.tick, 0)) faults.push("the position " + now + "/" + seq);
	for (const one of [asked, ...asked.targets]) if (one.seq && seq >= one.seq) faults.push("event " + one.seq);
	const lanes = asked.targets.map((target) => target.lane);
	for (const lane of document.querySelectorAll("section[data-lane]")) {
		if (lane.checkVisibility() !== lanes.includes(lane.dataset.lane)) faults.push("the lane " + lane.dataset.lane);
		if (lane.querySelector(".real, .arc, .off")) faults.push("the answer in " + lane.dataset.lane);
	}
	const seen = (selector) => [...document.querySelectorAll(".asked " + selector)].some((e) => getComputedStyle(e).visibility === "visible");
	if (asked.hides.includes("due") && seen(".dot text")) faults.push("a due tick");
	if (asked.hides.includes("rounds") && seen(".turn")) faults.push("rounds");
	return faults;
})()`

// TestPredictHidesTheAnswer asks questions in ten scenarios: until a question is answered nothing on the page answers it, and
// the answer in one lane shows nothing of the others. The short form has two scenarios.
func TestPredictHidesTheAnswer(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, scenario := range some(2, "three-slots", "ten-slots", "reach", "crowded-slot", "migration", "rounds-off-by-one", "lateness", "kafka-ranges", "netty-mask", "twelve-rings") {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			p := newTab(t)
			p.atStart(keepQuestions)
			p.open(s.url + "/?view=lab&scenario=" + scenario + "&lang=en")
			p.press("q")
			kinds, words := map[string]bool{}, map[string]bool{}
			for range 10 {
				p.wait(openQuestion)
				asked := p.text("ask-words")
				if words[asked] {
					t.Errorf("%q is asked again", asked)
				}
				words[asked] = true
				kinds[eval[string](p, `asked.kind`)] = true
				if faults := eval[[]string](p, leaks); len(faults) > 0 {
					t.Errorf("%q shows %q", asked, faults)
				}
				p.press(kb.ArrowRight + "n.") // none of them moves the cursor
				if eval[bool](p, `asked.targets.length > 1 && asked.kind === "slot"`) {
					p.run(`document.querySelector(".asked .tray").click()`)
					p.wait(`document.querySelector(".asked .off")`)
					if others := eval[int](p, `[...document.querySelectorAll(".asked")].slice(1).filter((e) => e.querySelector(".off, .real, .arc")).length`); others > 0 {
						t.Errorf("%q: the answer in one lane shows those of %d others", asked, others)
					}
				}
				p.run(`document.getElementById("ask-reveal").click()`)
				p.wait(`document.querySelector("main").dataset.asking === "answered"`)
				p.button("Next question")
			}
			if len(kinds) < 3 {
				t.Errorf("only the kinds %v", kinds)
			}
		})
	}
}

// TestPredictByPointing answers a question in three wheels: with the pointer, by keyboard and with a tray. Each wheel says
// by how much the answer is wrong, and See it shows the event. Seed and score are in the URL.
func TestPredictByPointing(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.EmulateViewport(1366, 768))
	p.atStart(keepQuestions)
	seed := 0
	for n := 1; n < 60 && seed == 0; n++ { // a seed that asks for the place of the second timer of 15 s
		p.open(fmt.Sprintf("%s/?view=lab&scenario=ten-slots&t=1&lang=en&pane=quiz&seed=%d&score=0/0", s.url, n))
		p.wait(openQuestion)
		if eval[string](p, `asked.timer + asked.kind`) == "15s from 2slot" {
			seed = n
		}
	}
	if got := p.text("ask-words"); got != "At t = 2 a timer of 15 s starts. Where does each wheel put it?" {
		t.Fatal(got)
	}
	p.pull(p.onSlot("rounds", 5))
	p.wait(`document.querySelector("[data-lane=rounds] .off")`)
	for _, want := range []string{"2 slots early", "17 mod 10 = 7"} {
		if got := p.off("rounds"); !strings.Contains(got, want) {
			t.Errorf("slot 5 instead of 7: %q, want %q", got, want)
		}
	}
	p.wait(`document.querySelector("[data-lane=rounds] .guesses .arc:not([visibility])")`)
	p.run(`document.querySelector("[data-lane=levels] .picture").focus()`)
	p.press(kb.ArrowUp + kb.ArrowRight)
	if got := p.text("ask-sub"); got != "level 1 · slot 1: everything due from 10 to 19 s" {
		t.Errorf("the slot is called %q", got)
	}
	p.press(kb.Enter)
	p.wait(`document.querySelector("[data-lane=levels] .guess.right") && document.querySelector("[data-lane=levels] .found.right")`)
	p.run(`document.querySelector("[data-lane=simple] [data-value=reject]").click()`)
	p.wait(`document.querySelector("main").dataset.asking === "answered" && document.querySelector("[data-lane=simple] .tray.right")`)
	if got := p.text("ask-verdict"); got != "✓ simple✗ rounds✓ levels" {
		t.Errorf("the verdict is %q", got)
	}
	p.wait(fmt.Sprintf(`location.search.includes("pane=quiz&seed=%d&score=0%%2F1")`, seed))
	p.run(`window.saved = []; URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return "blob:none"; }; HTMLAnchorElement.prototype.click = () => {}`)
	p.button("↓ CSV")
	p.wait(`saved.length === 1`)
	if lines := strings.Split(strings.TrimSpace(eval[string](p, `saved[0]`)), "\n"); len(lines) != 2 || !strings.Contains(lines[1], `simple: nowhere: it is rejected; rounds: slot 5; levels: level 1 · slot 1,simple: nowhere`) {
		t.Errorf("CSV: %q", lines)
	}
	p.button("See it")
	p.wait(`document.querySelector("main").dataset.asking === "seen" && document.querySelector("main").dataset.seq === "29" && document.querySelector("[data-lane=rounds] .flash")`)
	p.wait(`document.getElementById("story-where").textContent.includes("rounds") && document.getElementById("story-formula").textContent.includes("17 mod 10 = 7")`)
	if head := p.text("story-head"); !strings.Contains(head, "15s from 2") {
		t.Errorf("the story is %q", head)
	}
	p.button("Next question")
	p.wait(openQuestion)
	p.press(kb.Escape)
	p.wait(`!document.querySelector("main").dataset.asking && document.querySelector(".player").checkVisibility()`)
}

// TestPredictLinkContinues opens the link of a quiz in another browser's state: it asks the question that is open, and then the same ones,
// although the questions before are not asked again.
func TestPredictLinkContinues(t *testing.T) {
	t.Parallel()
	s := serve(t)
	next := func(p *tab) string {
		p.wait(openQuestion)
		asked := p.text("ask-words")
		p.run(`document.getElementById("ask-reveal").click()`)
		p.wait(`document.querySelector("main").dataset.asking === "answered"`)
		p.button("Next question")
		return asked
	}
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=ten-slots&t=1&lang=en&pane=quiz&seed=7&score=0/0")
	for range 4 {
		next(p)
	}
	p.wait(openQuestion + ` && new URLSearchParams(location.search).get("seen")?.split(".").length === 4 && location.search.includes("at=")`)
	link := eval[string](p, `location.href`)
	want := []string{next(p), next(p), next(p)}
	p.open(s.url + "/?view=lab&scenario=reach&lang=en&pane=quiz&seed=9&score=0/0")
	next(p)
	p.open(link)
	if got := []string{next(p), next(p), next(p)}; !slices.Equal(got, want) {
		t.Errorf("%q, from the link %q", want, got)
	}
}

// off returns what is said about the answer in a lane.
func (p *tab) off(lane string) string {
	p.Helper()
	return eval[string](p, `document.querySelector("[data-lane=`+lane+`] .off").textContent`)
}

// onSlot returns the middle of a slot of a wheel of one level with ten slots, in the window.
func (p *tab) onSlot(lane string, slot int) [2]float64 {
	p.Helper()
	at := eval[[3]float64](p, `(({ left, top, width }) => [left, top, width])(document.querySelector("[data-lane=`+lane+`] .picture > svg").getBoundingClientRect())`)
	angle := 2*math.Pi*float64(slot)/10 - math.Pi/2
	return [2]float64{at[0] + at[2]*(0.5+0.3*math.Cos(angle)), at[1] + at[2]*(0.5+0.3*math.Sin(angle))}
}

// TestPredictLetters answers with the letters A to D, and reveals an answer that is not counted.
func TestPredictLetters(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.atStart(keepQuestions)
	p.open(s.url + "/?view=lab&scenario=ten-slots&t=1&lang=en")
	p.run(`new MutationObserver((_, observer) => {
		const {dataset} = document.querySelector("main");
		if (dataset.asking !== "open") return;
		observer.disconnect();
		document.getElementById("ask-reveal").click();
		window.tooEarly = dataset.asking;
	}).observe(document.querySelector("main"), {attributes: true, attributeFilter: ["data-asking"]})`)
	p.press("q")
	p.wait(`window.tooEarly`)
	if got := eval[string](p, `tooEarly`); got != "open" {
		t.Errorf("revealed before the cursor has arrived: %s", got)
	}
	for range 12 {
		p.wait(openQuestion)
		if eval[string](p, `asked.kind`) == "slot" {
			break
		}
		p.press("v")
		p.wait(`document.querySelector("main").dataset.asking === "answered"`)
		p.button("Next question")
	}
	if n := eval[int](p, `document.querySelectorAll(".guesses .letter, .tray[data-letter]").length`); n != 0 {
		t.Errorf("%d letters before they are asked for", n)
	}
	p.press("l")
	lanes := eval[int](p, `asked.targets.length`)
	if n := eval[int](p, `document.querySelectorAll(".guesses .letter, .tray[data-letter]").length`); n != 4*lanes {
		t.Errorf("%d letters in %d lanes", n, lanes)
	}
	if got := p.text("quiz-score"); got != "" {
		t.Errorf("revealed answers are counted: %s", got)
	}
	for k := range lanes {
		right := eval[int](p, fmt.Sprintf(`asked.targets[%d].options.indexOf(asked.targets[%d].answer)`, k, k))
		p.press(string("abcd"[right]))
		p.wait(fmt.Sprintf(`document.querySelectorAll(".off .good").length === %d`, k+1))
	}
	p.wait(`document.getElementById("quiz-score").textContent === "1 of 1 right"`)
}

// TestPredictKeepsTheWheels measures questions at two sizes: the pictures have most of the height before, during and after a
// question, and the wheels are no smaller than in the entry view.
func TestPredictKeepsTheWheels(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.atStart(keepQuestions)
	const rings = `Math.max(...[...document.querySelectorAll(":is(.wheel, section[data-lane] .picture) .ring")].map((e) => e.getBoundingClientRect().width))`
	const share = `Math.max(...[...document.querySelectorAll(".stage")].map((e) => e.getBoundingClientRect().height)) / innerHeight`
	for _, at := range []size{{1366, 768}, {1024, 768}} {
		p.do(chromedp.EmulateViewport(int64(at.wide), int64(at.high)))
		p.open(s.url + entryView)
		least := eval[float64](p, rings)
		p.open(s.url + "/?view=lab&scenario=ten-slots&t=1&lang=en")
		look := func(when string) {
			t.Helper()
			p.frames()
			if got := eval[float64](p, share); got < 0.55 {
				t.Errorf("%d × %d, %s: the pictures have %.2f of the height", at.wide, at.high, when, got)
			}
			if eval[bool](p, `document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("%d × %d, %s: the page scrolls", at.wide, at.high, when)
			}
		}
		wheels := func(when string) {
			t.Helper()
			if got := eval[float64](p, rings); got < least {
				t.Errorf("%d × %d, %s: the wheels are %.0f pixels wide, in the entry view %.0f", at.wide, at.high, when, got, least)
			}
		}
		look("before")
		p.press("q")
		for n := range 8 {
			p.wait(openQuestion)
			look(fmt.Sprint("during question ", n))
			wheels(fmt.Sprint("during question ", n))
			p.run(`document.getElementById("ask-reveal").click()`)
			p.wait(`document.querySelector("main").dataset.asking === "answered"`)
			look(fmt.Sprint("after question ", n))
			wheels(fmt.Sprint("after question ", n))
			p.button("See it")
			p.settle()
			look(fmt.Sprint("seeing the answer ", n))
			p.button("Next question")
		}
		p.button("Close")
		p.frames()
	}
}

// TestPredictOnAPhone answers with a finger: the wheel stays where it is, and the next lane is swiped in.
func TestPredictOnAPhone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.finger(390, 844)
	p.atStart(keepQuestions)
	p.open(s.url + "/?view=lab&scenario=ten-slots&t=1&lang=zh&pane=quiz&seed=1&score=0/0")
	for range 12 {
		p.wait(openQuestion)
		if eval[string](p, `asked.kind`) == "slot" {
			break
		}
		p.run(`document.getElementById("ask-reveal").click()`)
		p.wait(`document.querySelector("main").dataset.asking === "answered"`)
		p.run(`document.getElementById("ask-next").click()`)
	}
	const place = `JSON.stringify(document.querySelector(".asked .picture").getBoundingClientRect())`
	was := eval[string](p, place)
	p.run(`document.querySelector(".asked .tray").click()`)
	p.wait(`document.querySelector(".asked .off")`)
	if now := eval[string](p, place); now != was {
		t.Errorf("the wheel has moved from %s to %s", was, now)
	}
	if eval[bool](p, `document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight`) {
		t.Error("the page scrolls")
	}
	p.run(string(read(t, "axe/axe.min.js")))
	p.axe("a question on a telephone")
}
