package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// drawn returns the positions of the dots and the texts in the lanes.
const drawn = `[...document.querySelectorAll("section[data-lane]")].map((s) => s.dataset.lane + ": " + [...s.querySelectorAll("svg .dot, svg text, [data-spans], [data-geometry]")]
	.map((e) => (e.getAttribute("transform") ?? "") + e.textContent).sort().join("|")).join("\n")`

// An edited lane and an edited unit of time are drawn as after a reload.
func TestEditedLanesAreDrawnAnew(t *testing.T) {
	t.Parallel()
	srv := serve(t)
	p := newTab(t)
	p.open(srv.url + "/?view=lab&scenario=three-slots&t=2&lang=en")
	p.button("Lanes")
	p.wait(`document.querySelectorAll("[data-edit-lane]").length === 5`)
	p.button("Edit lane heap")
	p.setField("arity", "4")
	p.button("Apply")
	four := func(s map[string]any) { s["lanes"].([]any)[4].(map[string]any)["arity"] = 4 }
	p.becomes("a heap of four", remade(t, "three-slots", four).atTick(t, 2))
	p.openWorkload("Workload")
	p.writeJSON(`"tick": "1ms"`, `"tick": "1s"`)
	p.button("Apply")
	p.becomes("seconds", remade(t, "three-slots", func(s map[string]any) { four(s); s["tick"] = "1s" }).atTick(t, 2))
	p.wait(`location.search.includes("mine=")`)
	p.atRest()
	got := eval[string](p, drawn)
	p.live(chromedp.Reload())
	p.wait(`document.querySelector("main").dataset.settled === "true"`)
	p.atRest()
	if want := eval[string](p, drawn); got != want || !strings.Contains(got, " s") {
		t.Errorf("after the edits:\n%s\nafter a reload:\n%s", got, want)
	}
}

// A scenario for which the browser has no space displaces no other, and a reload shows it as long as the server has it.
// A stored scenario that is gone is announced.
func TestScenariosThatAreNotStored(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2&lang=en")
	p.add("one", "4", "", "")
	p.wait(`location.search.includes("mine=")`)
	p.run(`{ const set = Storage.prototype.setItem; Storage.prototype.setItem = function (key, value) { if (key.startsWith("wheelscope.mine.") && value.includes("two")) throw new DOMException("", "QuotaExceededError"); set.call(this, key, value); }; }`)
	first := eval[string](p, `new URLSearchParams(location.search).get("mine")`)
	p.add("two", "5", "", "")
	p.wait(`document.getElementById("problem").textContent.includes("too large to be kept")`)
	p.wait(`new URLSearchParams(location.search).get("run")?.length >= 16`)
	if !eval[bool](p, `localStorage.getItem("wheelscope.mine." + `+quote(first)+`) !== null`) {
		t.Error("the first scenario is gone")
	}
	two := edited(t, "three-slots", map[string]any{"at": 2, "op": "schedule", "timer": "one", "delay": 4}, map[string]any{"at": 2, "op": "schedule", "timer": "two", "delay": 5}).atTick(t, 2)
	p.live(chromedp.Reload())
	p.becomes("reloaded", two)
	p.open(s.url + "/?view=lab&mine=0123456789abcdef&lang=en")
	p.wait(`document.getElementById("problem").textContent.includes("no longer kept in this browser")`)
}

// Undo pressed three times undoes three edits.
func TestUndoThreeTimes(t *testing.T) {
	t.Parallel()
	srv := serve(t)
	p := newTab(t)
	p.open(srv.url + "/?view=lab&scenario=three-slots&t=2&lang=en")
	root := builtin(t, "three-slots").atTick(t, 2)
	for i := range 3 {
		p.add(fmt.Sprint("more", i), "4", "", "")
		p.wait(fmt.Sprintf(`document.querySelector("[data-sheet=branches-sheet]").textContent.includes("(%d)")`, i+2))
		p.settle()
	}
	p.run(`document.activeElement.blur()`)
	p.press("uuu")
	p.becomes("undone", root)
}

// A timer that is added while the run plays is scheduled at the tick that the page names.
func TestTimerAddedWhilePlaying(t *testing.T) {
	t.Parallel()
	srv := serve(t)
	p := newTab(t)
	p.open(srv.url + "/?view=lab&scenario=heartbeats&t=100&lang=en")
	p.press(" ")
	p.wait(`Number(document.querySelector("main").dataset.now) > 110`)
	p.run(`(() => { const f = document.getElementById("add").elements; f.timer.value = "late"; f.delay.value = "40"; document.getElementById("add").requestSubmit(); })()`)
	p.wait(`document.getElementById("add-error").matches(".done:not(:empty)")`)
	p.run(`document.activeElement.blur()`)
	p.openWorkload("Workload")
	at := eval[string](p, `String(JSON.parse(document.getElementById("workload-json").value).workload.ops.at(-1).at)`)
	if said := eval[string](p, `document.getElementById("add-error").textContent`); !strings.Contains(said, at) {
		t.Errorf("the page says %q, the timer is scheduled at %s", said, at)
	}
}

// An edit that the server has done before the connection broke is a branch.
func TestEditOfABrokenConnection(t *testing.T) {
	t.Parallel()
	srv := serve(t)
	p := newTab(t)
	p.open(srv.url + "/?view=lab&scenario=three-slots&t=2&lang=en")
	p.run(`{ const send = WebSocket.prototype.send; WebSocket.prototype.send = function (text) {
		send.call(this, text);
		if (!text.includes('"do":"op"')) return;
		WebSocket.prototype.send = send;
		this.onmessage = null;
		setTimeout(() => this.close(), 300);
	}; }`)
	p.add("one", "4", "", "")
	p.becomes("done", edited(t, "three-slots", map[string]any{"at": 2, "op": "schedule", "timer": "one", "delay": 4}).atTick(t, 2))
	p.wait(`document.querySelector("[data-sheet=branches-sheet]").textContent.includes("(2)") && document.getElementById("add-error").classList.contains("done")`)
}

// A run that another command has opened is not the branch of an edit.
func TestBranchOfAnotherCommand(t *testing.T) {
	t.Parallel()
	srv := serve(t)
	p := newTab(t)
	p.open(srv.url + "/?view=lab&scenario=three-slots&lang=en")
	got := eval[string](p, `(async () => {
		const { Branches } = await import(new URL("../../js/core/branches.js", document.querySelector("script[type=module]").src).href);
		const branches = new Branches(() => {});
		const shows = (run, ack, resumed = false) => branches.runDisplayed({ run, scenario: run === "root" ? "three-slots" : "", title: run, ack, resumed });
		shows("root", 0);
		branches.announceEdit({ key: "branch.op", values: {} }, { tick: 1, seq: 1 }).ids.push(7);
		shows("slow", 6);
		const before = branches.find("slow");
		shows("edited", 7);
		return [before?.run, branches.find("edited")?.parent].join();
	})()`)
	if got != ",root" {
		t.Errorf("the branches of a slow load and of the edit after it: %q", got)
	}
}
