package e2e

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// inLive is an expression about the document of the embedded wheel.
const inLive = `document.getElementById("live").contentDocument`

// openAlgorithm opens an algorithm's page and waits until its embedded wheel is ready.
func (p *tab) openAlgorithm(url string) {
	p.Helper()
	p.do(chromedp.Navigate(url))
	p.wait(inLive + `?.querySelector('main[data-settled="true"]')`)
}

// TestEveryAlgorithmsPage opens the page of each algorithm and plays its wheel to the end: it shows
// one lane, of that algorithm, and marks lines of its code.
func TestEveryAlgorithmsPage(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, a := range algorithms.Catalogue() {
		p.openAlgorithm(s.url + "/algorithms/" + a.ID + "?lang=en")
		if got := eval[string](p, `document.querySelector("h1").textContent`); got != knowledge.Title(a.ID).EN {
			t.Errorf("%s is headed %q", a.ID, got)
		}
		if got := eval[[]string](p, `[...`+inLive+`.querySelectorAll("[data-lane]")].map((lane) => lane.dataset.algorithm)`); !slices.Equal(got, []string{a.ID}) {
			t.Errorf("the wheel of %s shows %v", a.ID, got)
		}
		p.run(inLive + `.querySelector("[data-do=fast]").click()`)
		p.wait(inLive + `.querySelector("main").dataset.now === ` + inLive + `.body.dataset.until`)
		p.run(inLive + `.querySelector("[data-do=event-back]").click()`)
		p.wait(`document.querySelector("[data-ran]")`)
	}
}

// TestLinesAreMarked steps the embedded wheel: exactly the lines that run in the step are marked.
func TestLinesAreMarked(t *testing.T) {
	t.Parallel()
	s := serve(t)
	in := builtin(t, "try-simple")
	page, _ := knowledge.Of("simple")
	e, err := engine.NewEngine(in.run.Program())
	if err != nil {
		t.Fatal(err)
	}
	var recs []engine.Record
	for at, ok := e.Next(); ok; at, ok = e.Next() {
		recs = e.Tick(at, recs)
	}
	p := newTab(t)
	p.openAlgorithm(s.url + "/algorithms/simple?lang=en")
	for from, steps := int64(0), 0; steps < 12; steps++ {
		to := in.stepAfter(t, from)
		var want []int
		for i := from; i < to; i++ {
			line, _ := page.LineOf(&recs[i].Event)
			want = append(want, line)
		}
		slices.Sort(want)
		want = slices.Compact(want)
		p.run(inLive + `.querySelector("[data-do=step-next]").click()`)
		p.wait(fmt.Sprintf(inLive+`.querySelector("main").dataset.seq === "%d"`, to))
		p.wait(fmt.Sprintf(`JSON.stringify([...document.querySelectorAll("[data-ran]")].map((line) => +line.dataset.line)) === %s`, quote(quote(want))))
		from = to
	}
}

// TestKnowledgePagesAreAccessible checks the pages with axe-core, and for elements wider than the
// window.
func TestKnowledgePagesAreAccessible(t *testing.T) {
	soak(t)
	t.Parallel()
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t)
	for _, v := range some(2,
		view{1440, 900, "light", "en"}, view{360, 740, "dark", "zh"}, view{1440, 900, "dark", "zh"}, view{360, 740, "light", "zh"}, view{360, 740, "dark", "en"}) {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t)
			p.look(v)
			check := func(what string) {
				t.Helper()
				p.run(string(script))
				p.axe(what)
				if what != "the lab inside a page" && !eval[bool](p, `[...document.querySelectorAll(".bar nav a, .brand span")].every((e) => e.checkVisibility() && e.offsetWidth > 20)`) {
					t.Errorf("%s: links of the bar can't be seen", what)
				}
				if wide := eval[int64](p, `document.documentElement.scrollWidth`); wide > v.wide {
					t.Errorf("%s is %d px wide", what, wide)
				}
			}
			p.do(chromedp.Navigate(s.url + "/algorithms?lang=" + v.lang))
			check("the table of algorithms")
			for _, id := range []string{"netty", "heap"} {
				p.openAlgorithm(s.url + "/algorithms/" + id + "?lang=" + v.lang)
				p.run(inLive + `.querySelector("[data-do=step-next]").click()`)
				p.wait(`document.querySelector("[data-ran]")`)
				check(id)
			}
			p.open(s.url + "/?view=lab&scenario=try-kafka&embed=1&t=10&lang=" + v.lang)
			check("the lab inside a page")
		})
	}
}

// TestRuleLeadsToItsPage checks the link of the tab with the rule of a lane, both of a built-in scenario and of a file.
func TestRuleLeadsToItsPage(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=paper-hash&lang=en")
	p.openTab("Rule")
	p.wait(`document.getElementById("rule-page").getAttribute("href") === "/algorithms/rounds?lang=en" && document.getElementById("rule-name").textContent === "Wheel with rounds"`)
	p.upload(t.TempDir()+"/two.json", `{"wheelscope":1,"name":"two","until":3,"lanes":[{"algorithm":"tokio"},{"algorithm":"heap"}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":2}]}}`)
	p.wait(`document.getElementById("rule-page").getAttribute("href") === "/algorithms/tokio?lang=en" && document.getElementById("rule-name").textContent === "tokio's wheel"`)
}

// TestLiveWheelFitsItsFrame checks the embedded wheel in windows of many sizes: its picture is
// large, the whole player is visible, and nothing scrolls.
func TestLiveWheelFitsItsFrame(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	for _, v := range []view{{360, 740, "light", "zh"}, {768, 1024, "light", "en"}, {1440, 900, "light", "en"}, {3840, 2160, "light", "en"}} {
		p.look(v)
		p.openAlgorithm(s.url + "/algorithms/netty?lang=" + v.lang)
		p.run(inLive + `.querySelector("[data-do=tick-next]").click()`)
		p.wait(inLive + `.querySelector("main").dataset.seq !== "0"`)
		got := eval[struct{ Picture, Least, Player, High, Scrolls float64 }](p, `(() => {
			const frame = document.getElementById("live").contentWindow, at = (q) => frame.document.querySelector(q).getBoundingClientRect();
			const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
			return { Picture: at(".picture").height, Least: 12 * rem, Player: at(".player").bottom, High: frame.innerHeight, Scrolls: frame.document.documentElement.scrollHeight };
		})()`)
		if got.Picture < got.Least || got.Player > got.High+1 || got.Scrolls > got.High+1 {
			t.Errorf("%s: the picture is %.0f px high, at least %.0f; the player ends at %.0f, all at %.0f of %.0f", v, got.Picture, got.Least, got.Player, got.Scrolls, got.High)
		}
	}
}
