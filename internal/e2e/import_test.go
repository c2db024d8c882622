package e2e

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/library"
)

// importText is the text of the dialog of a file.
const importText = `(document.querySelector("#import[open] #import-result")?.textContent ?? "")`

// testFilesFromElsewhere opens files of all kinds in one page: a valid one is shown; for an invalid
// one the error has its line or event, and the open scenario stays open.
func testFilesFromElsewhere(t *testing.T, base string) {
	p := newTab(t)
	p.forgive("422")
	p.open(base + "/?view=lab&scenario=three-slots&t=2&lang=en")
	three := builtin(t, "three-slots")
	dir := t.TempDir()
	trace := string(command(t, nil, "run", "three-slots"))
	lines := strings.SplitAfter(trace, "\n")

	// A trace that differs, a trace of another version, and a workload with one bad line.
	p.upload(dir+"/other.jsonl", strings.Replace(trace, lines[7], strings.Replace(lines[7], `"due":`, `"due":1`, 1), 1))
	p.wait(importText + `.includes("first at event 7 in line 8")`)
	if text := eval[string](p, importText); !strings.Contains(text, strings.TrimSpace(lines[7])) {
		t.Errorf("the line of the run is missing: %s", text)
	}
	compareShown(t, "after a trace that differs", p.shown(), three.atTick(t, 2))
	p.run(`document.querySelector("#import-result button").click()`)
	p.atSeq(7)
	p.settle()
	compareShown(t, "its scenario at the event", p.shown(), three.atSeq(t, 7))
	p.upload(dir+"/old.jsonl", strings.Replace(trace, `{"wheelscope":1`, `{"wheelscope":8`, 1))
	p.wait(importText + `.includes("line 1: the trace is of version 8, expected 1")`)
	p.upload(dir+"/bad.csv", "at,op,id,delay\n0,schedule,a,5\n1,schedule,b,soon\n")
	p.wait(importText + `.includes('line 3: delay: "soon" is not ticks')`)
	p.upload(dir+"/every.jsonl", `{"every":"soon","times":2,"at":0,"id":"a","delay":3}`)
	p.wait(importText + `.includes('line 1: every: "soon" is not ticks')`)
	compareShown(t, "after files that are not taken", p.shown(), three.atSeq(t, 7))
	p.press("\x1b")

	// A workload, opened on the lanes that were shown before. Then the same workload as HTML, and
	// packed.
	const csv = "at,op,id,delay,every,times\n0,schedule,a,2,,\n1,schedule,b,1,2,2\n"
	p.upload(dir+"/mine.csv", csv)
	p.wait(importText + `.includes("2 operations on 2 timers, up to tick 6")`)
	p.wait(`document.querySelectorAll("section[data-lane]").length === 3 && document.getElementById("title").textContent === "mine"`)
	p.run(`document.querySelector("#import-result button").click()`)
	p.wait(`document.querySelectorAll("section[data-lane]").length === 5 && document.getElementById("title").textContent === "mine"`)
	p.run(`document.querySelector("#import [data-close-sheet]").click()`)
	for name, as := range map[string]string{"crowded.html": "html", "crowded.json.gz": "perfetto"} {
		command(t, command(t, nil, "run", "crowded-slot"), "export", "-", "--as", as, "-o", dir+"/"+name)
		p.upload(dir+"/"+name, string(readFile(t, dir+"/"+name)))
		p.wait(`document.getElementById("toast").textContent.includes("` + name + `: ")`)
		p.becomes("the run in "+name, builtin(t, "crowded-slot").atSeq(t, 0))
		p.upload(dir+"/mine.csv", csv)
		p.wait(`document.getElementById("title").textContent === "mine"`)
		p.run(`document.querySelector("#import [data-close-sheet]").click()`)
	}

	// The kernel's trace of its timers.
	p.upload(dir+"/kernel.txt", string(readFile(t, "../../sim/importer/testdata/timers.txt")))
	p.wait(`document.getElementById("title").textContent === "kernel"`)
	p.run(`document.querySelector("#import [data-close-sheet]").click()`)

	// A compressed scenario: the error has no line.
	var packed bytes.Buffer
	pack := gzip.NewWriter(&packed)
	pack.Write([]byte(`{"wheelscope":1,"name":"mine","until":3,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[]}}`))
	pack.Close()
	p.upload(dir+"/mine.json.gz", packed.String())
	p.wait(`document.getElementById("toast").textContent === "mine.json.gz is open."`)
}

// TestLongFileShowsItsProgress sends a trace that takes a while: a progress bar is shown, and
// Escape cancels it.
func TestLongFileShowsItsProgress(t *testing.T) {
	soak(t)
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2&lang=en")
	trace := command(t, nil, "run", "hundred-thousand")[:60<<20] // the limit is 64 MiB
	p.upload(t.TempDir()+"/long.jsonl", string(trace))
	p.wait(`document.querySelector("#import[open] progress")?.value > 0 && document.getElementById("import-said").textContent.includes("%")`)
	p.press("\x1b")
	p.wait(`!document.querySelector("#import[open]")`)
	p.frames()
	compareShown(t, "after it was given up", p.shown(), builtin(t, "three-slots").atTick(t, 2))
	if n := len(library.Builtins()); eval[int](p, `document.querySelectorAll("#scenarios option").length`) != n {
		t.Error("the list of scenarios is another")
	}
}
