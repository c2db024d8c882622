package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// visibleText is an expression for the text of the page that a student can see, without the questions.
const visibleText = `[document.querySelector(".about"), ...document.querySelectorAll(".lane, .panel, .player")].map((e) => e.innerText).join("\n") +
	[...document.querySelectorAll("main :is(.dot text, .turn)")].filter((e) => getComputedStyle(e).visibility === "visible").map((e) => (e.matches(".turn") ? "(round)" : "due " + e.textContent)).join("\n")`

// TestQuizHidesTheAnswer answers twenty questions in two scenarios: while a question is open the page does
// not show what it asks about, no question repeats, wrong answers have reasons with numbers, and afterwards
// everything is visible again. The short form has one scenario.
func TestQuizHidesTheAnswer(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	due := regexp.MustCompile(`\bdue (at )?(t = )?\d`)
	for _, scenario := range some(1, "three-slots", "ten-slots") {
		p := newTab(t)
		p.open(s.url + "/?view=lab&scenario=" + scenario + "&t=2&lang=en")
		p.press("q")
		asked, kinds := map[string]bool{}, map[string]bool{}
		for n := range 20 {
			p.wait(`document.querySelector("#quiz .question-form:not(:has(:disabled)) .option")`)
			question := eval[string](p, `document.querySelector("#quiz legend").textContent`)
			if asked[question] {
				t.Errorf("%s: %q is asked again", scenario, question)
			}
			asked[question] = true
			hides := eval[string](p, `document.querySelector("main").dataset.hides`)
			kinds[strings.SplitN(eval[string](p, `JSON.parse(localStorage.getItem("wheelscope.guide.quiz")).seen.at(-1)`), "-", 2)[0]] = true
			text := eval[string](p, visibleText)
			if strings.Contains(hides, "due") && due.MatchString(text) {
				t.Errorf("%s: %q shows a due tick in %.300s", scenario, question, text[max(0, due.FindStringIndex(text)[0]-100):])
			}
			if strings.Contains(hides, "rounds") && strings.Contains(text, "(round)") {
				t.Errorf("%s: %q shows rounds in %s", scenario, question, text)
			}
			p.run(`document.querySelector("#quiz .option input").click()`)
			p.button("Check")
			p.wait(`document.querySelector("#quiz .graded b")`)
			if eval[bool](p, `document.querySelector("main").hasAttribute("data-hides")`) {
				t.Errorf("%s: after question %d parts are still hidden", scenario, n)
			}
			if why := eval[[]string](p, `[...document.querySelectorAll("#quiz .option.wrong:has(:checked) .reason")].map((e) => e.textContent)`); len(why) > 0 && !strings.ContainsAny(why[0], "0123456789") {
				t.Errorf("%s: %q is wrong because %q", scenario, question, why)
			}
			p.button("Next question")
		}
		if len(kinds) < 4 {
			t.Errorf("%s: only the kinds %v", scenario, kinds)
		}
		p.wait(`document.getElementById("quiz-score").textContent.endsWith(" of 20 right")`)
		p.checkExport(20)
		p.run(string(read(t, "axe/axe.min.js")))
		p.axe("twenty questions in " + scenario)
	}
}

// checkExport saves the answers and checks the number of them in both formats.
func (p *tab) checkExport(n int) {
	p.Helper()
	p.run(`window.saved = []; URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return "blob:none"; }; HTMLAnchorElement.prototype.click = () => {}`)
	p.button("↓ CSV")
	p.button("↓ JSON")
	p.wait(`window.saved.length === 2`)
	if lines := eval[int](p, `saved[0].trim().split("\n").length`); lines != n+1 {
		p.Errorf("%d lines of CSV, want %d and a heading", lines, n)
	}
	if got := eval[string](p, `(({ asked, answers }) => asked + " " + answers.length + " " + Object.keys(answers[0]).includes("chosen"))(JSON.parse(saved[1]))`); got != fmt.Sprintf("%d %d true", n, n) {
		p.Errorf("JSON has %s", got)
	}
}
