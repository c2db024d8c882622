package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestOwnWheel completes the skeleton of the wheel with rounds with the usual mistake: the page stands at the timer that should have
// fired, beside the oracle. Corrected, the wheel is a lane.
func TestOwnWheel(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.do(chromedp.Navigate(s.url + "/algorithms?lang=en"))
	p.writesAWheel()
}

// TestSiteOwnWheel does the same on the static site, where the wheel runs in a worker of its own, which is ended when a call does
// not return.
func TestSiteOwnWheel(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	p := newTabFor(t, tabTime)
	p.do(chromedp.Navigate(s.URL + siteBase + "/algorithms/"))
	p.writesAWheel()
	p.run(`{ const s = document.getElementById("own-source"); s.value = s.value.replace("advance(to) {", "advance(to) { for (;;);"); s.dispatchEvent(new Event("input")); document.querySelector(".own-form .primary").click(); }`)
	p.wait(`document.querySelector(".own-wrong")?.textContent.includes("has not returned")`)
	p.run(`{ const s = document.getElementById("own-source"); s.value = "function create() { return {"; s.dispatchEvent(new Event("input")); document.querySelector(".own-form .primary").click(); }`)
	p.wait(`document.querySelector(".own-wrong")?.textContent.includes("SyntaxError")`)
}

// writesAWheel writes a wrong wheel and a right one, from the page of all algorithms.
func (p *tab) writesAWheel() {
	t := p.TB
	t.Helper()
	p.run(`document.querySelector('a[href$="#own"]').click()`)
	p.wait(`document.getElementById("own-source")?.value.includes("function create")`)
	replace := func(old, new string) {
		t.Helper()
		a, _ := json.Marshal(old)
		b, _ := json.Marshal(new)
		p.run(`{ const s = document.getElementById("own-source"); s.value = s.value.replace(` + string(a) + `, ` + string(b) + `); s.dispatchEvent(new Event("input")); }`)
	}
	replace("const rounds = 0;", "const rounds = Math.floor((due - now) / n);")
	replace("fired.push(timer.key);", "if (timer.rounds-- > 0) { stay.push(timer); continue; }\n          fired.push(timer.key);")
	p.run(`document.querySelector(".own-form .primary").click()`)
	p.wait(`document.querySelector(".own-wrong") && document.querySelector("[data-lane=mine]") && document.querySelector("main").dataset.now === "8" && document.querySelector("main").dataset.settled === "true"`)
	if got := eval[string](p, `document.querySelector(".own-wrong").textContent`); !strings.HasPrefix(got, "after advance(8), timer 1 (due 8) has not fired") {
		t.Error(got)
	}
	if got := eval[string](p, `[...document.querySelectorAll("section[data-lane]")].map((l) => l.dataset.lane + l.querySelector("[data-total=live]").textContent).join(" ")`); got != "oracle0 mine1" {
		t.Errorf("lanes %q", got)
	}
	replace("(due - now) / n", "(due - now - 1) / n")
	p.run(`document.querySelector(".own-form .primary").click()`)
	p.wait(`document.querySelector(".own-right") && document.querySelector("[data-lane=mine] [data-total=live]").textContent === "0"`)
}

// TestOwnWheelOfAFile asks before a wheel in JavaScript runs that a file contains: a scenario, or a trace.
func TestOwnWheelOfAFile(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots")
	const scenario = `{"wheelscope":1,"name":"linked","lanes":[{"algorithm":"own","id":"mine","source":"function create() { return {schedule() { return true }, cancel() { return true }, advance() { return [] }} }"}],` +
		`"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":2}]}}`
	trace := filepath.Join(t.TempDir(), "linked.jsonl")
	file := filepath.Join(t.TempDir(), "linked.json")
	if err := os.WriteFile(file, []byte(scenario), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(binary, "run", file, "-o", trace).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{file, trace} {
		p.open(s.url + "/?view=lab&scenario=three-slots")
		for _, value := range []string{"cancel", "open"} {
			p.do(chromedp.SetUploadFiles(chromedp.ID("file"), []string{name}))
			p.wait(`document.getElementById("large").open`)
			if eval[bool](p, `document.querySelector("[data-lane=mine]") !== null`) {
				t.Errorf("%s: the wheel ran", name)
			}
			p.run(`document.querySelector("#large [value=` + value + `]").click()`)
			p.wait(`!document.getElementById("large").open`)
		}
		p.wait(`document.querySelector("[data-lane=mine]")`)
	}
}
