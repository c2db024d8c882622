package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

const dropping = `document.body.classList.contains("dropping")`

// dragOver moves what is dragged over a point, or drops it there.
func (p *tab) dragOver(x, y float64, data *input.DragData, kinds ...input.DispatchDragEventType) {
	p.Helper()
	data.DragOperationsMask = 1
	for _, kind := range kinds {
		if _, err := chromedp.Call(p.ctx, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: x, Y: y, Data: data}); err != nil {
			p.Fatal(err)
		}
	}
}

// TestTextIsDragged drags a text, which is not a file, over the page, and into the workload, which
// accepts it.
func TestTextIsDragged(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&lang=en")
	text := &input.DragData{Items: []*input.DragDataItem{{MimeType: "text/plain", Data: "moved"}}}
	p.dragOver(300, 300, text, "dragEnter", "dragOver")
	if eval[bool](p, dropping) {
		t.Error("a text is taken for a file")
	}
	p.openWorkload("Workload")
	p.run(`document.querySelector(".code-box textarea").scrollIntoView({block: "center"})`)
	x, y := p.place(".code-box textarea").middle()
	p.dragOver(x, y, text, "dragEnter", "dragOver", "drop")
	p.wait(`document.querySelector(".code-box textarea").value.includes("moved")`)
}

// TestFilesAreDragged drags two files over an element that is removed meanwhile, and off the page
// again. Then it drops them: one is opened, and the page says so. A folder is refused.
func TestFilesAreDragged(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&lang=en")
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"first", "second"} {
		path := filepath.Join(dir, name+".json")
		text := `{"wheelscope":1,"name":"` + name + `","lanes":[{"algorithm":"heap"}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":3}]}}`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	files := func(paths ...string) *input.DragData {
		return &input.DragData{Items: []*input.DragDataItem{}, Files: paths}
	}
	p.run(`{ const over = document.getElementById("lanes").appendChild(document.createElement("div")); over.id = "over"; Object.assign(over.style, {position: "fixed", inset: 0, zIndex: 40}); }`)
	p.dragOver(300, 300, files(paths...), "dragEnter", "dragOver")
	p.run(`document.getElementById("over").remove()`)
	p.dragOver(310, 310, files(paths...), "dragOver")
	if !eval[bool](p, dropping) {
		t.Error("nothing shows that a file may be dropped")
	}
	p.run(`document.elementFromPoint(310, 310).dispatchEvent(new DragEvent("dragleave", {bubbles: true}))`) // the browser's own event can't be triggered
	if eval[bool](p, dropping) {
		t.Error("files that left the page cover it")
	}
	p.dragOver(300, 300, files(paths...), "dragEnter", "dragOver", "drop")
	p.wait(`document.getElementById("title").textContent === "first"`)
	if said := p.text("toast"); !strings.Contains(said, "first.json") {
		t.Errorf("of two files it says %q", said)
	}
	p.dragOver(300, 300, files(dir), "dragEnter", "dragOver", "drop")
	p.wait(`document.getElementById("problem").textContent.includes("can’t be read")`)
}

// TestDoubleClick double-clicks a timer: it is followed, and no text is selected.
func TestDoubleClick(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?scenario=three-slots&t=3&lang=en&view=stage&lane=rounds")
	for _, what := range []string{"[data-lane=rounds] .clock", "[data-lane=rounds] .dot"} {
		x, y := p.place(what).middle()
		p.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
	}
	p.settle()
	if !eval[bool](p, `document.querySelector("[data-lane=rounds] .dot.hot") !== null`) {
		t.Error("the timer is not followed")
	}
	if selected := eval[string](p, `String(getSelection())`); selected != "" {
		t.Errorf("selected is %q", selected)
	}
}
