package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// openWorkload opens the workload editor and waits until it shows the scenario.
func (p *tab) openWorkload(button string) {
	p.Helper()
	p.button(button)
	p.wait(`document.getElementById("workload-json").value.includes('"wheelscope": 1')`)
}

// put sets a field of the workload's form, as if typed.
func (p *tab) put(path, value string) {
	p.Helper()
	p.run(fmt.Sprintf(`(() => { const e = document.querySelector('[data-path="' + %s + '"]'); e.value = %s; e.dispatchEvent(new Event("change", {bubbles: true})); })()`, quote(path), quote(value)))
}

// writeJSON replaces a part of the editor's text, as if typed.
func (p *tab) writeJSON(from, to string) {
	p.Helper()
	p.run(fmt.Sprintf(`(() => { const e = document.getElementById("workload-json"); e.value = e.value.replace(%s, () => %s); e.dispatchEvent(new Event("input")); })()`, quote(from), quote(to)))
}

// testWorkloadForm changes an operation, adds one, and adds a generated group; the text is updated,
// and after Apply the page shows the run of the result.
func testWorkloadForm(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=three-slots&t=2")
	p.openWorkload("Workload")
	p.put("workload.ops[1].delay", "7ms")
	p.wait(`document.getElementById("workload-json").value.includes('"7ms"')`)
	p.button("+ Add an operation")
	p.put("workload.ops[8].at", "1")
	p.put("workload.ops[8].timer", "more")
	p.put("workload.ops[8].delay", "3")
	p.button("+ Add a group")
	p.put("workload.generate[0].delay.dist", "constant")
	p.put("workload.generate[0].delay.value", "4")
	p.put("workload.generate[0].count", "3")
	in := remade(t, "three-slots", func(s map[string]any) {
		work := s["workload"].(map[string]any)
		ops := work["ops"].([]any)
		ops[1].(map[string]any)["delay"] = "7ms"
		work["ops"] = append(ops, map[string]any{"at": 1, "op": "schedule", "timer": "more", "delay": 3})
		work["generate"] = []any{map[string]any{"prefix": "t", "seed": 1, "count": 3,
			"arrivals": map[string]any{"dist": "poisson", "rate": "1/tick"}, "delay": map[string]any{"dist": "constant", "value": 4}}}
	})
	p.run(`document.getElementById("workload-apply").click()`)
	p.wait(`document.getElementById("workload-done").textContent.includes("Applied")`)
	p.becomes("the workload applied", in.atTick(t, 2))
	p.wait(`document.getElementById("workload-dirty").hidden`)
}

// TestWorkloadText changes the text; the form is updated, numbers above 2^53 keep their digits, and
// an error is shown with its line and at its field, in the page's language.
func TestWorkloadText(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2&lang=zh")
	was := p.shown()
	p.openWorkload("工作负载")
	error := `document.getElementById("workload-error").textContent`
	for _, c := range []struct{ from, to, says, field string }{
		{`"delay": 4`, `"delay": "soon"`, `"soon" 不是如`, "workload.ops[1].delay"},
		{`"delay": "soon"`, `"delay": 9007199254740993123`, "9007199254740993123", "workload.ops[1].delay"},
		{`"until": 14`, `"until": 14`, "9007199254740993123", "workload.ops[1].delay"},
		{`"delay": 9007199254740993123`, `"delay": 4,`, "不是 JSON", ""},
		{`"delay": 4,`, `"delay": 4, "colour": "red"`, "未知字段", ""},
		{`"delay": 4, "colour": "red"`, `"delay": 4`, "", ""},
		{`"task3"`, `"task2"`, "仍在运行", "workload.ops[2].timer"},
		{`"until": 14`, `"until": 3`, "until", "workload.ops[5].at"},
	} {
		p.writeJSON(c.from, c.to)
		if c.says == "" {
			continue
		}
		if c.from == c.to { // by the form, which keeps all digits
			p.run(`document.getElementById("workload-json").dispatchEvent(new Event("blur"))`)
			p.put("workload.ops[0].delay", "9007199254740993")
			p.put("workload.ops[0].delay", "2")
		}
		p.run(`document.getElementById("workload-apply").click()`)
		p.wait(error + `.includes(` + quote(c.says) + `) && ` + error + `.includes("行")`)
		if c.field != "" {
			p.wait(fmt.Sprintf(`document.activeElement.dataset.path === %s && document.activeElement.getAttribute("aria-invalid") === "true"`, quote(c.field)))
		}
		compareShown(t, "after "+c.to, p.shown(), was)
	}
	p.live(chromedp.Reload())
	p.button("工作负载")
	p.wait(`document.getElementById("workload-json").value.includes('"until": 3')`) // edits that were not applied are still there
	p.run(`document.getElementById("workload-reset").click()`)
	p.wait(`document.getElementById("workload-json").value.includes('"until": 14')`)
}

// TestScenarioWithoutEnd opens an endless scenario without until, which is refused.
func TestScenarioWithoutEnd(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	was := p.shown()
	dir := t.TempDir()
	const endless = `{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":1,"every":EVERY}]}UNTIL}`
	for _, c := range []struct{ every, until, says string }{
		{"1", "", "until: missing; expected the last tick"},
		{"1", `,"until":4611686018427387000`, "expected at most"},
	} {
		p.upload(dir+"/endless.json", strings.NewReplacer("EVERY", c.every, "UNTIL", c.until).Replace(endless))
		p.wait(`document.querySelector("#problem:not([hidden])")?.textContent.includes(` + quote(c.says) + `)`)
		compareShown(t, "after an endless scenario", p.shown(), was)
	}
	// A scenario with a very late end is opened; the page works while the run is computed.
	p.upload(dir+"/age.json", strings.NewReplacer("EVERY", "1000000000000", "UNTIL", `,"until":1000000000000000`).Replace(endless))
	p.wait(`document.body && document.querySelectorAll("section[data-lane]").length === 1`)
	p.press(".")
	p.atSeq(1)
}

// TestFilesOfOtherKinds drops files that can't be opened: each error is one line, in the page's
// language, and nothing is lost.
func TestFilesOfOtherKinds(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for lang, says := range map[string]map[string]string{
		"en": {"big": "104857601 bytes", "binary": "not text", "packed": "cut short", "json": "begins with", "empty": "is empty"},
		"zh": {"big": "104857601 字节", "binary": "不是文本", "packed": "不完整", "json": "开头", "empty": "是空的"},
	} {
		p := newTab(t)
		p.forgive("422")
		p.open(s.url + "/?view=lab&scenario=three-slots&t=2&lang=" + lang)
		was := p.shown()
		for kind, content := range map[string]string{
			"big":    `"{", new Uint8Array(100 << 20).fill(32)`,
			"binary": `new Uint8Array([137, 80, 78, 71, 0, 0, 1])`,
			"packed": `new Uint8Array([31, 139, 8, 0])`,
			"json":   `"these are words"`,
			"empty":  `""`,
		} {
			p.run(`(() => { const d = new DataTransfer(); d.items.add(new File([` + content + `], "` + kind + `.bin"));
				for (const type of ["dragenter", "dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: d})); })()`)
			p.wait(`((text) => text.includes(` + quote(says[kind]) + `) && text.includes("` + kind + `.bin"))
				([...document.querySelectorAll("#problem:not([hidden]), #import[open] #import-result")].map((e) => e.textContent).join(" "))`)
			p.run(`document.getElementById("import").close()`)
			compareShown(t, lang+" after a file: "+kind, p.shown(), was)
		}
	}
}

// TestTraceIsOpened opens a trace: its scenario is shown.
func TestTraceIsOpened(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	p.upload(t.TempDir()+"/crowded.jsonl", string(command(t, nil, "run", "crowded-slot")))
	p.becomes("the scenario of a trace", builtin(t, "crowded-slot").atSeq(t, 0))
}
