package e2e

import (
	"strings"
	"testing"
)

// TestCompareTwoRunsPane compares a run with its own lanes, a built-in scenario, a branch and files: the
// result is shown in sentences and tables, and its buttons move the cursor.
func TestCompareTwoRunsPane(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.forgive("422") // a file that can't be compared
	p.open(s.url + "/?view=lab&scenario=three-slots&t=7&lang=en")
	p.press("c")
	p.wait(`document.getElementById("contest-said").textContent.includes("They first differ at tick 0, over task2")`)
	p.run(`document.getElementById("contest-first").click()`)
	p.atTick(0)
	p.against(`scenario:simple-three`)
	p.wait(`document.getElementById("contest-said").textContent.includes("The workloads differ from tick 0 on")`)
	if rows := eval[int](p, `document.querySelectorAll("#contest-rows tbody tr").length`); rows != 7 {
		t.Errorf("%d rows for 5 lanes and 2", rows)
	}
	p.run(`document.querySelector("#contest-timers [data-tick='5']").click()`)
	p.atTick(5)
	// A branch: a timer is cancelled by hand. The run that the branch comes from is offered.
	p.run(`document.querySelector("#tab-add").click()`)
	p.press("c")
	p.run(`document.querySelector("section[data-lane=heap] .timer")?.click()`)
	p.run(`document.getElementById("cancel").click()`)
	p.wait(`document.getElementById("follow-said").textContent !== "" && document.querySelector("main").dataset.settled === "true"`)
	p.press("c")
	p.wait(`[...document.querySelectorAll("#contest-with option")].some((o) => o.value.startsWith("run:"))`)
	p.against(eval[string](p, `[...document.querySelectorAll("#contest-with option")].find((o) => o.value.startsWith("run:")).value`))
	p.wait(`document.getElementById("contest-said").textContent.includes("The workloads differ from tick 5 on")`)
	if words := eval[string](p, `document.getElementById("contest-said").textContent`); !strings.Contains(words, "held it until it was cancelled at 5") {
		t.Error(words)
	}
	// Files: the run's own trace, then one of another version. The open scenario stays.
	p.run(`(async () => { const text = await (await fetch(document.getElementById("export-trace").href)).text(); window.offer = (text, name) => {
		const files = new DataTransfer(), input = document.getElementById("contest-file");
		files.items.add(new File([text], name)); input.files = files.files; input.dispatchEvent(new Event("change")); }; offer(text, "my.jsonl"); window.trace = text; })()`)
	p.wait(`document.getElementById("contest-said").textContent.includes("B: my.jsonl") && document.getElementById("contest-said").textContent.includes("They never differ")`)
	p.run(`offer(window.trace.replace('{"wheelscope":1', '{"wheelscope":8'), "old.jsonl")`)
	p.wait(`document.querySelector("#contest-said .pane-problem")?.textContent.includes("the trace is of version 8, expected 1")`)
	// A refused request is not repeated with every movement of the cursor.
	p.run(`(() => { const ask = window.fetch; window.asks = 0; window.fetch = (...a) => { if (String(a[0]).includes("/api/contest")) window.asks++; return ask(...a); }; })()`)
	p.press(".")
	p.atTick(6)
	if asks := eval[int](p, `window.asks`); asks != 0 {
		t.Errorf("a file that was refused is sent %d more times", asks)
	}
}

// against chooses what the run is compared with.
func (p *tab) against(key string) {
	p.Helper()
	p.run(`(() => { const s = document.getElementById("contest-with"); s.value = "` + key + `"; s.dispatchEvent(new Event("change")); })()`)
}
