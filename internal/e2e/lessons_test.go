package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openRounds starts the lesson on rounds.
func (p *tab) openRounds(base string) {
	p.Helper()
	p.open(base + "/?view=lab&scenario=reach&lang=en")
	p.press("l")
	p.wait(`document.querySelectorAll(".lesson-pick").length === 5`)
	p.run(`document.querySelectorAll(".lesson-pick")[1].click()`)
}

// testLessonByKey goes through the lesson on rounds by keyboard: each step opens its scenario at
// its cursor, the engine's answer is graded as right, and the progress survives a reload.
func testLessonByKey(t *testing.T, base string) {
	p := newTab(t)
	p.openRounds(base)
	for n, want := range []struct{ scenario, tick, answer, lane string }{
		{"rounds-three", "0", "slot 1", "hierarchical"},
		{"rounds-three", "0", "0", "hierarchical"},
		{"paper-hash", "9", "slot 30", "sorted"},
		{"rounds-off-by-one", "0", "t = 6", "sorted"},
		{"crowded-slot", "26", "197 units", "heap"},
	} {
		p.wait(fmt.Sprintf(`document.querySelector(".guide-where").textContent === "Rounds · step %d of 5"`, n+1))
		p.wait(fmt.Sprintf(`location.search.includes("scenario=%s&") || location.search.endsWith("scenario=%s")`, want.scenario, want.scenario))
		p.wait(fmt.Sprintf(`document.querySelector("main").dataset.now === %q && document.querySelector("section[data-lane=%s].aside")`, want.tick, want.lane))
		p.pick(want.answer)
		p.button("Check")
		p.wait(`document.querySelector(".graded .good")`)
		if n < 4 {
			p.run(`document.activeElement.blur()`)
			p.press("]")
		}
	}
	p.live(chromedp.Reload())
	p.press("l")
	p.wait(`document.querySelectorAll(".lesson-pick small")[1]?.textContent === "step 5 of 5 · 5 of 5 answers right"`)
}

// pick selects the option with a text.
func (p *tab) pick(text string) {
	p.Helper()
	const option = `[...document.querySelectorAll(".option")].find((o) => o.querySelector("span").textContent === %s)?.querySelector("input:not(:checked)")`
	p.wait(fmt.Sprintf(option, quote(text)))
	p.run(fmt.Sprintf(option+`.click()`, quote(text)))
}

// testLessonTellsWhatIsRight gives a wrong answer: the page shows the right answer, and where to
// see it.
func testLessonTellsWhatIsRight(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=reach&lang=en")
	p.button("Lessons")
	p.wait(`document.querySelector(".lesson-pick")`)
	p.run(`document.querySelectorAll(".lesson-pick")[1].click()`)
	p.wait(`document.querySelector(".option")`)
	p.button("Check")
	p.wait(`document.querySelector(".graded").textContent === "Choose an answer first."`)
	p.pick("slot 2")
	p.button("Check")
	p.wait(`document.querySelector(".graded .bad")?.textContent === "Not quite: slot 1."`)
	if n := eval[int](p, `document.querySelectorAll(".option.right .mark[aria-label=right]").length`); n != 1 {
		t.Errorf("%d options are marked as right", n)
	}
	p.button("See it at t = 0")
	p.wait(`document.querySelector("[data-lane=rounds] tr[data-slot='1'][data-count='1']")`)
	p.run(`document.querySelector("[data-close-pane=lessons]").click()`)
	p.wait(`document.getElementById("lessons").hidden && !document.querySelector(".aside")`)
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

// TestLessonInHaste goes forward and back before a step's scenario is loaded: the page shows the
// step of the lesson. A grade that arrives at the next step is recorded for its own step.
func TestLessonInHaste(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.openRounds(s.url)
	p.wait(`document.querySelector(".guide-where").textContent.includes("step 1") && location.search.includes("scenario=rounds-three")`)
	p.settle()
	p.press("]")
	p.settle()
	p.run(`for (const key of "][") document.dispatchEvent(new KeyboardEvent("keydown", { key }))`)
	p.settle()
	if got, want := eval[string](p, `document.querySelector(".guide-where").textContent + " " + document.getElementById("title").textContent`), "step 2 of 5 Four milliseconds on three slots"; !strings.Contains(got, want) {
		t.Fatalf("on and back again: %s, want %s", got, want)
	}

	release := p.holdAnswers("*/api/lesson/answer*")
	p.pick("0")
	p.button("Check")
	p.run(`document.activeElement.blur()`)
	p.press("]")
	p.wait(`document.querySelector(".guide-where").textContent.includes("step 3")`)
	release()
	p.wait(`localStorage.getItem("wheelscope.guide.rounds").includes('"right":{"1":true}')`)
}
