package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

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
	p.wait(`document.querySelector(".choice[data-value='2']")`)
	p.run(`document.querySelector(".choice[data-value='2']").click()`)
	p.wait(`document.querySelector(".ask-verdict .bad") && document.querySelector(".choice.right").dataset.value === "1"`)
	p.run(`document.getElementById("ask-see").click()`)
	p.wait(`document.querySelector("main").dataset.now === "1" && !document.getElementById("lecture-return").hidden`)
	p.button("Return to the lecture")
	p.wait(`document.querySelector("main").dataset.now === "0" && document.getElementById("lecture-return").hidden`)
	p.wait(fmt.Sprintf(playedStop, 2))
	p.run(`document.activeElement.blur()`)
	p.press(kb.PageDown)
	p.wait(fmt.Sprintf(playedStop, 3))
	p.press(kb.PageUp)
	p.wait(fmt.Sprintf(playedStop, 2) + ` && location.search.includes("stop=2")`)
	p.live(chromedp.Reload())
	p.wait(fmt.Sprintf(playedStop, 2))
	p.run(`document.getElementById("lecture-close").click()`)
	p.wait(`document.getElementById("lecture").hidden && !document.querySelector("[data-asking]") && !document.querySelector(".aside, section[data-lane][hidden]")`)
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

// TestLectureInFile gives a lecture from a file on the disk: each stop shows its run, its note and its question, in both languages.
func TestLectureInFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lecture.html")
	command(t, nil, "export", "five-faults", "-o", name)
	p := newTab(t)
	p.openFile(name, "#lang=en&stop=2")
	p.wait(fmt.Sprintf(playedStop, 2))
	p.wait(`document.querySelector(".choice[data-value='1']")`)
	p.run(`document.querySelector(".choice[data-value='1']").click()`)
	p.wait(`document.querySelector(".ask-verdict .good") && document.querySelector("section[data-lane=published]").checkVisibility()`)
	for n := 3; n <= lecturesGiven[1].stops; n++ {
		p.run(`document.activeElement.blur()`)
		p.press(kb.PageDown)
		p.wait(fmt.Sprintf(playedStop, n))
	}
	p.wait(`document.querySelector("section[data-lane=naive]").checkVisibility() && document.querySelectorAll(".choice").length > 2`)
	p.wait(`location.hash.includes("stop=12")`)
	p.run(`document.querySelector("[data-lang-to]").click()`)
	p.wait(`document.documentElement.lang === "zh-Hans"`)
	p.wait(fmt.Sprintf(playedStop, lecturesGiven[1].stops))
	p.press(kb.PageUp)
	p.wait(fmt.Sprintf(playedStop, lecturesGiven[1].stops-1) + ` && document.getElementById("lecture-note").textContent.includes("t = 23")`)
}

// TestPresenterWindow opens the presenter's window, on a server and in a file: it shows the stop, its keys move the stage, and it can
// be closed and opened again, also after the page was loaded again, while its clock runs on.
func TestPresenterWindow(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lecture.html")
	command(t, nil, "export", "five-faults", "-o", name)
	for _, address := range []string{serve(t).url + "/?lecture=five-faults&stop=2&lang=zh", "file://" + name + "#stop=2&lang=zh"} {
		p := newTab(t)
		p.atStart(`const opened = window.open; window.open = (...how) => (window.notes = opened(...how))`)
		p.do(chromedp.Navigate(address))
		p.wait(fmt.Sprintf(playedStop, 2))
		const texts = `window.notes.document.body.innerText`
		for _, again := range []bool{false, true} {
			p.run(`document.activeElement.blur()`)
			p.press("n")
			p.wait(`window.notes && ` + texts + `.includes("第 2 站") && ` + texts + `.includes("下一站") && window.notes.document.documentElement.lang === "zh-Hans"`)
			p.run(`window.notes.document.dispatchEvent(new KeyboardEvent("keydown", {key: "PageDown"}))`)
			p.wait(fmt.Sprintf(playedStop, 3) + ` && ` + texts + `.includes("第 3 站")`)
			p.press(kb.PageUp)
			p.wait(fmt.Sprintf(playedStop, 2) + ` && ` + texts + `.includes("第 2 站")`)
			p.wait(`/0:0[1-9]/.test(` + texts + `)`)
			p.wait(`location.href.includes("stop=2")`)
			if again {
				p.do(chromedp.Reload())
				p.wait(fmt.Sprintf(playedStop, 2))
				continue
			}
			p.run(`window.notes.close()`)
			p.wait(`window.notes.closed`)
		}
		p.press("n")
		p.wait(`window.notes && ` + texts + `.includes("第 2 站")`)
		p.run(`window.notes.document.onkeydown(new KeyboardEvent("keydown", {key: "PageDown"}))`)
		p.wait(fmt.Sprintf(playedStop, 3))
		p.run(`window.notes.close()`)
	}
}

// TestLectureIsDropped drops lectures on the page: one is played in the laboratory, from the entry view, too; a bad one is refused in
// one line; and a lecture of the user's own is kept.
func TestLectureIsDropped(t *testing.T) {
	t.Parallel()
	s := serve(t)
	lecture := func(title string) string {
		return `{"wheelscope":1,"kind":"lecture","title":"` + title + `","stops":[{"scenario":"reach","tick":3,"title":"` + title + `","note":"Here it is."}]}`
	}
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&lang=en")
	p.run(`localStorage.setItem("wheelscope.lecture", ` + quote(lecture("Own")) + `)`)
	p.openScenarioText(lecture("Dropped"))
	p.wait(fmt.Sprintf(playedStop, 1) + ` && document.getElementById("lecture-head").textContent === "Dropped" && location.search.includes("lecture=opened")`)
	p.openScenarioText(`{"kind":"lecture","wheelscope":2}`)
	p.wait(`document.getElementById("problem").textContent.includes("not a lecture of version 1")`)
	p.open(s.url + entryView)
	p.openScenarioText(`{"wheelscope":1}`)
	p.says("sub", "Only a lecture")
	p.openScenarioText(lecture("From the entry view"))
	p.wait(fmt.Sprintf(playedStop, 1) + ` && document.getElementById("lecture-head").textContent === "From the entry view"`)
	if own := eval[string](p, `JSON.parse(localStorage.getItem("wheelscope.lecture")).title`); own != "Own" {
		t.Errorf("the own lecture is %q", own)
	}
}

// openScenarioText opens a scenario or a lecture as a file that is dropped on the page.
func (p *tab) openScenarioText(text string) {
	p.Helper()
	p.run(`(() => {
		const data = new DataTransfer();
		data.items.add(new File([` + quote(text) + `], "mine.json", {type: "application/json"}));
		document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
	})()`)
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
	p.run(string(read(p, "axe/axe.min.js")))
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
		if eval[bool](p, `document.querySelector("main").dataset.asking === "open"`) {
			p.run(`(document.querySelector(".choice") ?? document.getElementById("ask-reveal")).click()`)
			p.wait(`document.querySelector("main").dataset.asking === "answered"`)
			if eval[bool](p, `document.querySelector(".asked [role=application]") !== null && !document.querySelector(".asked .tray.right")`) {
				p.wait(`document.querySelector(".asked svg .guesses .real")`)
			}
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
