package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// playedStop is true when the page has arrived at a stop of a lecture, given its number, and its texts are filled in.
const playedStop = `document.querySelector("main").dataset.lecture === "%d" && document.querySelector("main").dataset.settled === "true"`

// testLectureByKey gives the lecture on faults with a clicker: each stop opens its scenario at its instant, answers are the
// engine's, and the lecture goes on where it was left.
func testLectureByKey(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=reach&lang=en")
	p.press("l")
	p.wait(`document.querySelectorAll(".lecture-pick").length === 2`)
	p.run(`document.querySelectorAll(".lecture-pick")[1].click()`)
	p.wait(fmt.Sprintf(playedStop, 1))
	p.press(kb.PageDown)
	p.wait(fmt.Sprintf(playedStop, 2))
	if lanes := eval[string](p, `[...document.querySelectorAll("section[data-lane]")].filter((s) => !s.hidden).map((s) => s.dataset.lane).join()`); lanes != "published,corrected" {
		t.Errorf("lanes %s", lanes)
	}
	p.pick("t = 2")
	p.button("Check")
	p.wait(`document.querySelector(".graded .bad")?.textContent === "Not quite: t = 1."`)
	p.button("See it at t = 1")
	p.wait(`document.querySelector("main").dataset.now === "1" && !document.getElementById("lecture-return").hidden`)
	p.button("Return to the lecture")
	p.wait(`document.querySelector("main").dataset.now === "0" && document.getElementById("lecture-return").hidden`)
	p.wait(fmt.Sprintf(playedStop, 2))
	p.run(`document.activeElement.blur()`)
	p.press(kb.PageDown)
	p.wait(fmt.Sprintf(playedStop, 3))
	p.press(kb.PageUp)
	p.wait(fmt.Sprintf(playedStop, 2))
	p.live(chromedp.Reload())
	p.wait(fmt.Sprintf(playedStop, 2))
	p.run(`document.getElementById("lecture-close").click()`)
	p.wait(`document.getElementById("lecture").hidden && !document.querySelector(".aside, section[data-lane][hidden]")`)
}

// testLectureOfTheUser makes a lecture of two stops, one of them of an edited scenario, reorders them, saves and plays it, and opens
// it again from a link.
func testLectureOfTheUser(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=reach&t=3&lang=en")
	p.press("l")
	p.wait(`document.querySelectorAll(".lecture-pick").length === 2`)
	p.button("Add stop")
	p.wait(`document.querySelectorAll(".lecture-maker li").length === 1`)
	p.run(`document.activeElement.blur()`)
	p.run(`(() => { const box = document.querySelector(".lecture-maker li textarea"); box.value = "Here it is."; box.dispatchEvent(new Event("input")); })()`)
	p.openScenarioText(`{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"mine","delay":3}]}}`)
	p.wait(`document.querySelector("section[data-lane=heap]") && document.querySelector("main").dataset.settled === "true"`)
	p.button("Add stop")
	p.wait(`document.querySelectorAll(".lecture-maker li").length === 2`)
	p.run(`document.querySelector("[aria-label='Move Stop 2 up']").click()`)
	stored := `JSON.parse(localStorage.getItem("wheelscope.lecture"))`
	p.wait(stored + `.stops[0].run && Object.keys(` + stored + `.scenarios).length === 1 && ` + stored + `.stops[1].note.en === "Here it is."`)
	p.run(`Object.defineProperty(navigator, "clipboard", {value: {writeText: (text) => { window.copied = text; return Promise.resolve(); }}})`)
	p.button("Copy a link")
	p.wait(`window.copied?.includes("#lecture=")`)
	link := eval[string](p, `window.copied`)
	p.run(`document.querySelector("[data-lecture-do=play]").click()`)
	p.wait(fmt.Sprintf(playedStop, 1))
	p.press(kb.PageDown)
	p.wait(fmt.Sprintf(playedStop, 2))
	p.wait(`document.getElementById("lecture-note").textContent === "Here it is." && document.querySelector("section[data-lane=reject]")`)

	other := newTab(t)
	other.open(link)
	other.wait(fmt.Sprintf(playedStop, 1))
	other.wait(`document.querySelector("section[data-lane=heap]") && document.querySelectorAll(".stop-dot").length === 2`)
}

// openScenarioText opens a scenario as a file that is dropped on the page.
func (p *tab) openScenarioText(text string) {
	p.Helper()
	p.run(`(() => {
		const data = new DataTransfer();
		data.items.add(new File([` + quote(text) + `], "mine.json", {type: "application/json"}));
		document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
	})()`)
}

// pick selects the option with a text.
func (p *tab) pick(text string) {
	p.Helper()
	const option = `[...document.querySelectorAll(".option")].find((o) => o.querySelector("span").textContent === %s)?.querySelector("input:not(:checked)")`
	p.wait(fmt.Sprintf(option, quote(text)))
	p.run(fmt.Sprintf(option+`.click()`, quote(text)))
}

// TestQuiz answers questions generated from the run, graded by the server, and gets a score; the
// same seed results in the same questions.
func TestQuiz(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2&lang=en")
	p.press("q")
	p.wait(`document.querySelector("#quiz .option")`)
	p.fill("quiz-seed", "Ada")
	p.press("\r")
	first := p.question()
	p.answerRightly("Ada", 0)
	p.wait(`document.getElementById("quiz-score").textContent === "1 of 1 right"`)
	p.button("Next question")
	p.wait(`document.querySelector("#quiz .question-form:not(:has(:disabled))")`)
	p.answerRightly("Ada", 1)
	p.wait(`document.getElementById("quiz-score").textContent === "2 of 2 right"`)
	p.fill("quiz-seed", "Bob")
	p.press("\r")
	p.wait(`document.getElementById("quiz-score").textContent === "0 of 0 right"`)
	p.fill("quiz-seed", "Ada")
	p.press("\r")
	p.wait(`document.querySelector("#quiz legend")?.textContent === ` + quote(first))
}

// question returns the current question, once it is about Ada.
func (p *tab) question() string {
	p.Helper()
	p.run(`new Promise((done) => setTimeout(done, 600))`) // the question of the previous seed is removed
	return eval[string](p, `document.querySelector("#quiz legend").textContent`)
}

// answerRightly selects the server's own answer.
func (p *tab) answerRightly(seed string, n int) {
	p.Helper()
	seen := `JSON.parse(localStorage.getItem("wheelscope.guide.quiz")).seen.slice(0, -1).join()` // the last one is displayed
	query := fmt.Sprintf(`"run=" + new URL(document.getElementById("export-trace").href).searchParams.get("run") + "&t=2&n=%d&seed=%s&seen=" + %s`, n, seed, seen)
	p.run(`fetch("/api/quiz?" + ` + query + `).then((r) => r.json()).then((q) => fetch("/api/quiz/answer?" + ` + query + `).then((r) => r.json()).then(({answer}) => {
		const inputs = document.querySelectorAll("#quiz .option input");
		if (inputs.length !== q.options.length) throw new Error("another question is shown");
		q.options.forEach((value, k) => { if (answer.includes(value)) inputs[k].click(); });
	}))`)
	p.button("Check")
	p.wait(`document.querySelector("#quiz .graded .good")`)
}

// TestQuizFollowsTheCursor moves the cursor: the question changes to the new position.
func TestQuizFollowsTheCursor(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=14&lang=zh")
	p.press("q")
	p.wait(`document.querySelector("#quiz .guide-body").textContent.includes("没有更多问题")`)
	p.run(`document.activeElement.blur()`)
	p.press(kb.Home)
	p.wait(`document.querySelector("#quiz legend")`)
	if text := eval[string](p, `document.querySelector("#quiz legend").textContent`); !strings.Contains(text, "泳道") {
		t.Errorf("at the beginning is asked: %q", text)
	}
}

// holdAnswers delays the server's responses to the page until the returned function is called.
func (p *tab) holdAnswers(pattern string) (release func()) {
	p.Helper()
	held := fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: pattern}}}
	if _, err := chromedp.Call(p.ctx, fetch.Enable, held); err != nil {
		p.Fatal(err)
	}
	return func() {
		if _, err := chromedp.Call(p.ctx, fetch.Disable, cdp.Empty{}); err != nil {
			p.Fatal(err)
		}
	}
}

// TestQuizAnsweredOnTheWay moves the cursor while an answer is being graded, and answers while
// another question is being graded. The result is shown at its own question and counted once. That
// of the previous student is not counted.
func TestQuizAnsweredOnTheWay(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	for _, held := range []string{"*/api/quiz/answer*", `*/api/quiz\?*`} {
		p := newTab(t)
		p.open(s.url + "/?view=lab&scenario=three-slots&t=2&lang=en")
		p.press("q")
		p.wait(`document.querySelector("#quiz .option")`)
		question := eval[string](p, `document.querySelector("#quiz legend").textContent`)
		p.run(`document.querySelector("#quiz .option input").click()`)
		p.run(`document.activeElement.blur()`)
		release := p.holdAnswers(held)
		if strings.Contains(held, "answer") {
			p.button("Check")
		}
		p.run(`document.activeElement.blur()`)
		p.press(kb.ArrowRight)
		p.atTick(3)
		p.run(`new Promise((done) => setTimeout(done, 600))`) // the cursor is at rest, and the question follows it
		if !strings.Contains(held, "answer") {
			p.button("Check")
			p.wait(`document.querySelector("#quiz .graded b")`)
		}
		release()
		p.wait(`document.getElementById("quiz-score").textContent.endsWith(" of 1 right")`)
		p.run(`new Promise((done) => setTimeout(done, 600))`)
		if now := eval[string](p, `document.querySelector("#quiz legend").textContent`); now != question {
			t.Errorf("%s held: asked and answered was %q, shown is %q", held, question, now)
		}
		p.wait(`document.querySelector("#quiz .graded b")`)
		p.button("Next question")
		p.wait(`document.querySelector("#quiz .question-form:not(:has(:disabled))") && !document.querySelector("#quiz .graded b")`)

		p.run(`document.querySelector("#quiz .option input").click()`)
		release = p.holdAnswers("*/api/quiz/answer*")
		p.button("Check")
		p.fill("quiz-seed", "Bob")
		p.press("\r")
		p.wait(`document.getElementById("quiz-score").textContent === "0 of 0 right"`)
		release()
		p.run(`new Promise((done) => setTimeout(done, 600))`)
		p.wait(`document.getElementById("quiz-score").textContent === "0 of 0 right" && document.querySelectorAll("#quiz .question-form button").length === 1`)
	}
}

// lecturesGiven lists the lectures with their numbers of stops.
var lecturesGiven = []struct {
	name  string
	stops int
}{{"timing-wheels", 21}, {"five-faults", 12}}

// pictureShare is the least share of a picture in the height of the window.
const pictureShare = 0.55

// TestLecturesGiven gives both lectures from start to end, in the sizes of projectors: before and after each question the lanes keep
// most of the height, the note is legible, and the wheels are no smaller than in the entry view.
func TestLecturesGiven(t *testing.T) {
	s := serve(t)
	for _, size := range [][2]int64{{1366, 768}, {1024, 768}} {
		for _, lang := range some(1, "en", "zh") {
			for _, l := range lecturesGiven {
				newTab(t).giveLecture(s.url, l.name, lang, l.stops, size)
			}
		}
	}
}

// ringWidths returns the diameter of the largest ring of each lane that is shown, by lane.
const ringWidths = `Object.fromEntries([...document.querySelectorAll("section[data-lane]")].filter((s) => s.checkVisibility()).map((s) => [s.dataset.lane, Math.round(Math.max(0, ...[...s.querySelectorAll("circle.ring")].map((e) => e.getBoundingClientRect().width)))]))`

// stageSizes returns the least share of a picture in the height of the window, the size of the note, and the rings.
const stageSizes = `({
	share: Math.min(...[...document.querySelectorAll("section[data-lane]")].filter((s) => s.checkVisibility()).map((s) => s.querySelector(".stage").getBoundingClientRect().height)) / innerHeight,
	font: parseFloat(getComputedStyle(document.getElementById("lecture-note")).fontSize),
	scrolls: document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight,
	compare: document.getElementById("compare").checkVisibility(),
	rings: ` + ringWidths + `,
})`

type stageSize struct {
	Share, Font      float64
	Scrolls, Compare bool
	Rings            map[string]int
}

// entryRings returns the rings of a scenario in the entry view, by lane. The view need not have the scenario.
func (p *tab) entryRings(base, scenario string, size [2]int64) map[string]int {
	p.Helper()
	p.do(chromedp.EmulateViewport(size[0], size[1]))
	p.open(base + "/?view=entry&scenario=" + scenario + "&t=2&lang=en")
	return eval[map[string]int](p, ringWidths)
}

// giveLecture shows each stop of a lecture, and answers its question.
func (p *tab) giveLecture(base, name, lang string, stops int, size [2]int64) {
	p.Helper()
	p.do(chromedp.EmulateViewport(size[0], size[1]))
	p.open(base + "/?lecture=" + name + "&stop=1&lang=" + lang)
	entry, rings := newTab(p.TB), map[string]map[string]int{}
	var took []int
	for n := 1; n <= stops; n++ {
		p.wait(fmt.Sprintf(playedStop, n))
		if n > 1 {
			took = append(took, eval[int](p, `Math.round(window.shownAt - window.pressedAt)`))
		}
		what := fmt.Sprintf("%s %d (%s, %d × %d)", name, n, lang, size[0], size[1])
		scenario := eval[string](p, `document.getElementById("scenario").dataset.scenario`)
		if rings[scenario] == nil && scenario != "" {
			rings[scenario] = entry.entryRings(base, scenario, size)
		}
		p.checkStage(what, rings[scenario])
		if n == 2 || longForm() {
			p.axePart(true, "main", what)
		}
		if eval[bool](p, `Boolean(document.querySelector(".lecture-ask .option"))`) {
			p.run(`document.querySelector(".lecture-ask .option input").click()`)
			p.run(`document.querySelector(".lecture-ask .primary").click()`)
			p.wait(`document.querySelector(".graded b")`)
			p.settle()
			p.checkStage(what+" answered", rings[scenario])
		}
		p.run(`document.activeElement.blur(); addEventListener("keydown", () => { window.pressedAt = performance.now(); }, {capture: true, once: true});
			window.shownAt = 0;
			new MutationObserver((_, o) => { const m = document.querySelector("main").dataset; if (Number(m.lecture) && m.settled === "true") { window.shownAt = performance.now(); o.disconnect(); } }).observe(document.querySelector("main"), {attributes: true})`)
		p.press(kb.PageDown)
	}
	slices.Sort(took)
	late := took[len(took)*95/100]
	p.Logf("%s, %d × %d: stops appear after %v ms, 95 of 100 within %d ms", name, size[0], size[1], took, late)
}

// checkStage checks the sizes on the stage. entry has the rings of the entry view.
func (p *tab) checkStage(what string, entry map[string]int) {
	p.Helper()
	got := eval[stageSize](p, stageSizes)
	if !got.Compare && got.Share < pictureShare || got.Font < 22 || got.Scrolls {
		p.Errorf("%s: %+v", what, got)
	}
	for lane, wide := range got.Rings {
		if wide < entry[lane] && !got.Compare {
			p.Errorf("%s: the wheel %s is %d px wide, in the entry view %d", what, lane, wide, entry[lane])
		}
	}
}
