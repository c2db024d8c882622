package e2e

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openFile exports a scenario as HTML and opens the file from the disk. The tab fails the test on
// any network request.
func openFile(t *testing.T, scenario, hash string) *tab {
	t.Helper()
	dir := t.TempDir()
	trace := command(t, nil, "run", scenario)
	name := filepath.Join(dir, "run.html")
	command(t, trace, "export", "-", "--as", "html", "-o", name)
	p := newMovingTab(t)
	p.openFile(name, hash)
	return p
}

func (p *tab) openFile(name, hash string) {
	p.Helper()
	p.do(chromedp.Navigate("file://" + name + hash))
	p.wait(`document.querySelector("main")?.dataset.settled === "true"`)
}

// traceInFile returns the trace in a file, which the page offers to save.
func (p *tab) traceInFile() string {
	p.Helper()
	p.wait(`(() => {
		const link = document.querySelector('a[download$=".jsonl.gz"]');
		link.addEventListener("click", (event) => event.preventDefault());
		link.click();
		return link.href.startsWith("blob:");
	})()`)
	return eval[string](p, `new Response(new Blob([Uint8Array.from(atob(document.getElementById("trace").textContent), (c) => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream("gzip"))).text()`)
}

// goTo moves the page of a file to an event, by its URL.
func (p *tab) goTo(seq int64) {
	p.Helper()
	p.run(fmt.Sprintf(`location.hash = "#seq=%d"`, seq))
}

// TestFileShowsWhatTheServerShows moves through a file in all possible ways: tables and figures
// equal the run's at every position.
func TestFileShowsWhatTheServerShows(t *testing.T) {
	soak(t)
	t.Parallel()
	in := instantsOf(t, read(t, "catalogue.json"))
	p := openFile(t, filepath.Join("testdata", "catalogue.json"), "#seq=1200&lang=en")
	p.shows("opened at an event", in.atSeq(t, 1200))
	random := rand.New(rand.NewPCG(5, 3))
	for range 12 {
		seq := random.Int64N(in.last(t) + 1)
		p.goTo(seq)
		p.shows("by the address", in.atSeq(t, seq))
	}
	p.press(kb.Home)
	p.shows("before anything", in.atSeq(t, 0))
	for tick := int64(1); tick < 6; tick++ { // tick 0 has no events
		p.press(kb.ArrowRight)
		p.shows("a tick forward", in.atTick(t, tick))
	}
	p.press(kb.ArrowLeft)
	p.shows("a tick back", in.atTick(t, 4))
	_, seq := p.cursor()
	p.press(".")
	p.shows("an event forward", in.atSeq(t, seq+1))
	p.press(kb.ArrowRight, shift)
	step := in.stepAfter(t, seq+1)
	p.shows("a step forward", in.atSeq(t, step))
	p.press(",")
	p.shows("an event back", in.atSeq(t, step-1))
	p.press(kb.End)
	p.shows("the end", in.atTick(t, in.until()))
}

// TestFileInTheEntryView opens a file that the entry view can show. Pictures, tables and work are those of the server at
// the same positions, and the file has the laboratory and the other language, but nothing that changes the run.
func TestFileInTheEntryView(t *testing.T) {
	t.Parallel()
	in := builtin(t, "ten-slots")
	srv := serve(t)
	s := newTab(t)
	s.open(srv.url + entryView + "&t=10")
	const drawn = `[...document.querySelectorAll(".blocks, .say")].map((e) => e.textContent + (e.getAttribute("aria-label") ?? "") + e.children.length).join() + ` + wheels
	p := openFile(t, "ten-slots", "#t=10&lang=en")
	p.shows("opened at a tick", in.atTick(t, 10))
	s.settle()
	if got, want := eval[string](p, drawn), eval[string](s, drawn); got != want {
		t.Errorf("the file shows\n%.900s\nwant\n%.900s", got, want)
	}
	p.press(kb.ArrowRight)
	p.shows("a tick forward", in.atTick(t, 11))
	p.press("a")
	p.press("9")
	p.press("\r")
	p.says("sub", "This run was recorded")
	p.press(kb.Home)
	p.shows("before anything", in.atSeq(t, 0))
	p.press(kb.ArrowRight, shift)
	seq := in.stepAfter(t, 0)
	p.shows("a step forward", in.atSeq(t, seq))
	p.goTo(seq + 2)
	p.shows("by the address", in.atSeq(t, seq+2))
	p.click("link", "中文")
	p.wait(`document.documentElement.lang === "zh-Hans" && document.querySelector("main")?.dataset.settled === "true"`)
	p.shows("in the other language", in.atSeq(t, seq+2))
	p.click("link", "实验室")
	p.wait(`document.querySelector(".offline:not(.entry) main")?.dataset.settled === "true"`)
	p.shows("in the laboratory", in.atSeq(t, seq+2))
	p.press(".")
	p.shows("an event forward", in.atSeq(t, seq+3))
	p.run(`document.getElementById("simple").click()`)
	p.wait(`document.querySelector(".entry main")?.dataset.settled === "true"`)
	p.shows("back in the entry view", in.atSeq(t, seq+3))
	p.do(chromedp.Reload())
	p.wait(`document.querySelector(".entry main")?.dataset.settled === "true"`)
	p.shows("reloaded", in.atSeq(t, seq+3))
}

// TestFileNeedsNoServer checks the functions of a file: it plays, follows a timer, explains, has both
// languages, exports its trace, and offers nothing that needs a server.
func TestFileNeedsNoServer(t *testing.T) {
	t.Parallel()
	p := openFile(t, "three-slots", "#seq=40&lang=zh")
	if lang := eval[string](p, `document.documentElement.lang + document.querySelector("h1").textContent`); lang != "zh-Hans三个槽" {
		t.Errorf("opened in Chinese: %q", lang)
	}
	p.click("link", "English")
	p.wait(`document.documentElement.lang === "en" && document.querySelector("main")?.dataset.settled === "true"`)
	if _, seq := p.cursor(); seq != 40 {
		t.Errorf("in the other language the cursor is after event %d, want 40", seq)
	}
	p.wait(`!document.querySelector("#story-next").hidden && document.querySelector("#story-code li")`)
	p.press("f")
	p.click("tab", "Timer")
	p.wait(`document.querySelectorAll("#life button").length > 3`)
	p.click("tab", "Log")
	p.wait(`document.querySelectorAll("#log button[data-seq]").length === 40`)
	for _, gone := range []string{"#scenario", "#file-open", "#compare-open", "[data-sheet]", ".add", "#undo", "#until", `a[href^="/"]`} {
		if n := eval[int](p, `[...document.querySelectorAll(`+quote(gone)+`)].filter((e) => e.checkVisibility()).length`); n > 0 {
			t.Errorf("%s needs a server and is shown", gone)
		}
	}
	trace := p.traceInFile()
	if want := string(command(t, nil, "run", "three-slots")); trace != want {
		t.Errorf("the trace in the file is another than the run's: %.200s", trace)
	}
	p.press(kb.Home)
	p.press(" ")
	p.wait(`+document.querySelector("main").dataset.now >= 1`)
	p.press(" ")
}

// TestFileAsRecorded exports a trace that this build does not reproduce: the page says so, shows
// the recorded events after every movement, and shows no costs.
func TestFileAsRecorded(t *testing.T) {
	soak(t)
	t.Parallel()
	lines := strings.SplitAfter(string(command(t, nil, "run", "three-slots")), "\n")
	for i, line := range lines { // in the lane simple task3 is due a tick later, so it fires early
		if strings.Contains(line, `"lane":"simple"`) && strings.Contains(line, `"timer":"task3"`) {
			lines[i] = strings.NewReplacer(`"due":3`, `"due":4`, `"late":0`, `"late":-1`).Replace(line)
		}
	}
	body := strings.Join(lines[:len(lines)-2], "")
	end := regexp.MustCompile(`[0-9a-f]{64}`).ReplaceAllString(lines[len(lines)-2], fmt.Sprintf("%x", sha256.Sum256([]byte(body))))
	name := filepath.Join(t.TempDir(), "recorded.html")
	command(t, []byte(body+end), "export", "-", "--as-recorded", "-o", name)
	p := newTab(t)
	p.openFile(name, "")
	if note := eval[string](p, `document.querySelector(".offline-note").textContent`); !strings.Contains(note, "As recorded: this build does not reproduce the events of this trace. Line 24") {
		t.Errorf("the page says %q", note)
	}
	early := func(after string, want int) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.querySelector('section[data-lane="simple"] [data-total="early"]').textContent === "%d"`, want))
		if got := eval[string](p, `document.querySelector('section[data-lane="rounds"] [data-total="early"]').textContent`); got != "0" {
			t.Errorf("%s: the other lane has %s early", after, got)
		}
	}
	early("opened", 0)
	p.press(kb.End)
	early("the end", 1)
	p.goTo(40)
	early("an event before", 0)
	for range 2 {
		p.press(kb.ArrowRight)
	}
	early("two ticks", 1)
	p.press(kb.ArrowLeft, shift)
	p.press(kb.Home)
	early("before anything", 0)
	p.press(" ")
	early("played", 1)
	if n := eval[int](p, `[...document.querySelectorAll("[data-cost], .so-far td:nth-child(n + 4)")].filter((e) => e.checkVisibility()).length`); n > 0 {
		t.Errorf("%d figures of costs are shown", n)
	}
	trace := p.traceInFile()
	if trace != body+end {
		t.Errorf("the trace in the file is not the recorded one: %.200s", trace)
	}
}
