package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestLessonByKey walks the lesson on rounds by keyboard: each step opens its
// scenario at its cursor, the engine's answer is taken for right, and how far one
// came outlasts a reload.
func TestLessonByKey(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?scenario=reach&lang=en")
	p.press("l")
	p.wait(`document.querySelectorAll(".lesson-pick").length === 5`)
	p.run(`document.querySelectorAll(".lesson-pick")[1].click()`)
	for n, want := range []struct{ scenario, tick, answer, lane string }{
		{"rounds-three", "0", "slot 1", "hierarchical"},
		{"rounds-three", "0", "0", "hierarchical"},
		{"paper-hash", "9", "slot 30", "sorted"},
		{"rounds-off-by-one", "0", "t = 6", "sorted"},
		{"crowded-slot", "26", "197", "heap"},
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

// pick chooses the option with a text.
func (p *tab) pick(text string) {
	p.Helper()
	const option = `[...document.querySelectorAll(".option")].find((o) => o.querySelector("span").textContent === %s)?.querySelector("input:not(:checked)")`
	p.wait(fmt.Sprintf(option, quote(text)))
	p.run(fmt.Sprintf(option+`.click()`, quote(text)))
}

// TestLessonTellsWhatIsRight answers wrong and is told the right answer, and where
// to see it.
func TestLessonTellsWhatIsRight(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?scenario=reach&lang=en")
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

// TestQuiz answers questions made from the run, right by the server's word, and is
// scored; the same seed asks the same.
func TestQuiz(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?scenario=three-slots&t=2&lang=en")
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

// question is the question that is asked, once it is about Ada.
func (p *tab) question() string {
	p.Helper()
	p.run(`new Promise((done) => setTimeout(done, 600))`) // the question of the seed before goes
	return eval[string](p, `document.querySelector("#quiz legend").textContent`)
}

// answerRightly picks what the server's own answer says.
func (p *tab) answerRightly(seed string, n int) {
	p.Helper()
	query := fmt.Sprintf(`"run=" + new URL(document.getElementById("export-trace").href).searchParams.get("run") + "&t=2&n=%d&seed=%s"`, n, seed)
	p.run(`fetch("/api/quiz?" + ` + query + `).then((r) => r.json()).then((q) => fetch("/api/quiz/answer?" + ` + query + `).then((r) => r.json()).then(({answer}) => {
		const inputs = document.querySelectorAll("#quiz .option input");
		if (inputs.length !== q.options.length) throw new Error("another question is shown");
		q.options.forEach((value, k) => { if (answer.includes(value)) inputs[k].click(); });
	}))`)
	p.button("Check")
	p.wait(`document.querySelector("#quiz .graded .good")`)
}

// TestQuizFollowsTheCursor asks anew where the cursor stands.
func TestQuizFollowsTheCursor(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?scenario=three-slots&t=14&lang=zh")
	p.press("q")
	p.wait(`document.querySelector("#quiz .guide-body").textContent.includes("没有可问的")`)
	p.run(`document.activeElement.blur()`)
	p.press(kb.Home)
	p.wait(`document.querySelector("#quiz legend")`)
	if text := eval[string](p, `document.querySelector("#quiz legend").textContent`); !strings.Contains(text, "泳道") {
		t.Errorf("at the beginning is asked: %q", text)
	}
}
