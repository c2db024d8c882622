package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// messageBytesMax is the maximum length of a command; the scenarios below are longer.
const messageBytesMax = 64 << 10

// manyOps is a scenario of 2,000 operations, each with an id that has a number.
func manyOps(t testing.TB, name string, delay int) *instants {
	t.Helper()
	var ops []map[string]any
	for k := range 2000 {
		ops = append(ops, map[string]any{"at": k, "op": "schedule", "timer": fmt.Sprintf("a timer, number %d", k), "delay": delay + k%7})
	}
	in := remade(t, "three-slots", func(s map[string]any) {
		s["name"], s["title"] = name, name
		s["until"], s["workload"] = 2500, map[string]any{"ops": ops}
	})
	if n := len(in.run.Program().Scenario.AppendJSON(nil)); n <= messageBytesMax {
		t.Fatalf("the scenario has %d bytes, too few", n)
	}
	return in
}

// text is the scenario as a file.
func (in *instants) text() string { return string(in.run.Program().Scenario.AppendJSON(nil)) }

// TestLongScenarios opens scenarios that are too long for a command: dropped as a file, edited,
// from a shared URL, after a reload, and from the branches. An error in one has its line.
func TestLongScenarios(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.forgive("422")
	p.open(s.url + "/?view=lab&scenario=three-slots&lang=en")
	dropped, edited := manyOps(t, "dropped", 3), manyOps(t, "edited", 5)

	path := filepath.Join(t.TempDir(), "many.json")
	if err := os.WriteFile(path, []byte(dropped.text()), 0o600); err != nil {
		t.Fatal(err)
	}
	file := &input.DragData{Items: []*input.DragDataItem{}, Files: []string{path}}
	p.dragOver(300, 300, file, "dragEnter", "dragOver", "drop")
	p.becomes("dropped", dropped.atSeq(t, 0))

	p.openWorkload("Workload")
	p.run(`(() => { const e = document.getElementById("workload-json"); e.value = ` + quote(edited.text()) + `; e.dispatchEvent(new Event("input")); })()`)
	p.run(`document.getElementById("workload-apply").click()`)
	p.wait(`document.getElementById("workload-done").textContent.includes("Applied")`)
	p.becomes("edited", edited.atSeq(t, 0))
	p.run(`(() => { const e = document.getElementById("workload-json"); e.value = ` + quote(strings.Replace(edited.text(), `"delay":5`, `"delay":"soon"`, 1)) + `; e.dispatchEvent(new Event("input")); })()`)
	p.run(`document.getElementById("workload-apply").click()`)
	p.wait(`document.getElementById("workload-error").textContent.startsWith("Line 1: workload.ops[0].delay: ")`)
	p.run(`document.getElementById("workload-reset").click()`)
	p.wait(`document.getElementById("workload-json").value.includes('"name": "edited"')`)
	p.run(`document.querySelector("#workload-sheet [data-close-sheet]").click()`)

	p.slide(9)
	p.wait(`location.search.includes("t=9") && location.search.includes("mine=")`)
	p.live(chromedp.Reload())
	p.becomes("after a reload", edited.atTick(t, 9))
	p.button("Branches (3)")
	p.wait(`document.querySelectorAll(".branch").length === 3`)
	p.branch("many.json")
	p.wait(`document.getElementById("title").textContent === "dropped"`)
	p.branch("workload changed")
	p.wait(`document.getElementById("title").textContent === "edited"`)

	q := newTab(t)
	q.open(s.url + "/?view=lab&scenario=three-slots&lang=en")
	q.goToShared(s.url+"/?view=lab&lang=en", edited, 9)
	q.wait(`location.search.includes("mine=` + edited.run.Program().Digest()[:16] + `") && document.querySelector("main").dataset.now === "9"`)
	q.settle()
	compareShown(t, "from a shared address", q.shown(), edited.atTick(t, 9))
	for _, one := range []*tab{p, q} {
		if one.longest > messageBytesMax {
			t.Errorf("a command of %d bytes was sent", one.longest)
		}
	}
}

// packed returns a scenario as encoded in a shared URL.
func (p *tab) packed(text string) string {
	p.Helper()
	return eval[string](p, `import(new URL("../../js/core/pack.js", document.querySelector("script[src$='app.js']").src).href).then((m) => m.pack(`+quote(text)+`))`)
}

// goToShared opens a scenario at a tick by its shared URL. A page of the server must be open.
func (p *tab) goToShared(address string, in *instants, tick int64) {
	p.Helper()
	p.do(chromedp.Navigate(p.sharedAddress(address, in, tick)))
}

// sharedAddress returns the URL that shares a scenario at a tick.
func (p *tab) sharedAddress(address string, in *instants, tick int64) string {
	p.Helper()
	run := in.run.Program().Digest()[:16]
	return fmt.Sprintf("%s&mine=%s&t=%d&seq=%s#share=1&run=%s&s=%s&end", address, run, tick, in.atTick(p, tick).Seq, run, p.packed(in.text()))
}
