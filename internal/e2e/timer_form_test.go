package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// read returns a file of testdata.
func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// remade is a built-in scenario with a change to its JSON.
func remade(t testing.TB, name string, change func(scenario map[string]any)) *instants {
	t.Helper()
	var s map[string]any
	if err := json.Unmarshal(builtin(t, name).run.Program().Scenario.AppendJSON(nil), &s); err != nil {
		t.Fatal(err)
	}
	change(s)
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return instantsOf(t, data)
}

// edited is a built-in scenario with operations appended to its own.
func edited(t testing.TB, name string, ops ...map[string]any) *instants {
	t.Helper()
	return remade(t, name, func(s map[string]any) {
		work := s["workload"].(map[string]any)
		list := work["ops"].([]any)
		for _, op := range ops {
			list = append(list, op)
		}
		work["ops"] = list
	})
}

// add fills in the form and submits it.
func (p *tab) add(name, delay, every, times string) {
	p.Helper()
	p.run(`document.getElementById("tab-timer").click()`)
	p.fill("add-timer", name)
	p.fill("add-delay", delay)
	p.fill("add-every", every)
	p.fill("add-times", times)
	p.button("Add")
}

// testTimerByHand adds timers at the cursor, in all lanes, and cancels one. The result must equal
// the run of the scenario with those operations.
func testTimerByHand(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=three-slots&t=2")
	once := map[string]any{"at": 2, "op": "schedule", "timer": "mine", "delay": 5}
	beat := map[string]any{"at": 2, "op": "schedule", "timer": "beat", "delay": "2ms", "every": 3, "times": 3}
	stop := map[string]any{"at": 2, "op": "cancel", "timer": "mine"}

	p.add("mine", "5", "", "")
	p.shows("one timer added", edited(t, "three-slots", once).atTick(t, 2))
	p.add("beat", "2ms", "3", "3")
	p.shows("a repeating timer added", edited(t, "three-slots", once, beat).atTick(t, 2))
	p.openTab("Timer")
	p.run(`(() => { const f = document.getElementById("follow"); f.value = [...f.options].find((o) => o.textContent === "mine").value; f.dispatchEvent(new Event("change")); })()`)
	p.run(`document.getElementById("tab-timer").click()`)
	p.wait(`document.getElementById("cancel").checkVisibility()`)
	p.button("Cancel this timer")
	p.wait(`document.getElementById("follow-said").textContent.includes("mine is cancelled")`)
	in := edited(t, "three-slots", once, beat, stop)
	p.shows("a timer cancelled", in.atTick(t, 2))
	p.button("Fast-forward")
	p.atEnd(in)
	compareShown(t, "the edited run at its end", p.shown(), in.atTick(t, in.until()))
}

// TestTimerThatIsRefused enters invalid values in the form: the error is beside its field, the
// input is kept, and the session is unchanged.
func TestTimerThatIsRefused(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	was := p.shown()
	for _, c := range []struct{ name, delay, every, times, field string }{
		{"task2", "3", "", "", "timer"}, // it is running
		{"", "3", "", "", "timer"},
		{"x", "", "", "", "delay"},
		{"x", "soon", "", "", "delay"},
		{"x", "99999999999999999999", "", "", "delay"},
		{"x", "3", "0", "", "every"},
		{"x", "3", "2", "0", "times"},
		{"x", "3", "", "2", "times"},
	} {
		p.add(c.name, c.delay, c.every, c.times)
		p.wait(`document.getElementById("add-` + c.field + `-error").textContent.trim().length > 5`)
		p.wait(`document.getElementById("add-` + c.field + `").getAttribute("aria-invalid") === "true"`)
		if got := eval[string](p, `document.getElementById("add-delay").value`); got != c.delay {
			t.Errorf("%+v: the delay typed became %q", c, got)
		}
		p.settle()
		compareShown(t, "after a refusal", p.shown(), was)
	}
	p.add("x", "3", "2", "2")
	p.wait(`!document.querySelector("[aria-invalid]")`)
	p.wait(`document.querySelector("main").dataset.seq !== ` + quote(was.Seq))
}

// TestTimerOfManyTicks enters delays that a float can't represent. The form accepts them as
// numbers, and a delay of up to 62 bits is scheduled with all its digits.
func TestTimerOfManyTicks(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	p.add("x", "4611686018427387903", "", "")
	p.wait(`document.getElementById("add-delay-error").textContent.includes("must fit 62 bits")`)
	p.add("x", "4611686018427387904", "", "")
	p.wait(`document.getElementById("add-delay-error").textContent.includes("is not a whole number between")`)
	p.add("x", "9007199254740993", "", "")
	p.wait(`!document.querySelector("[aria-invalid]")`)
	p.shows("a timer of 2^53 + 1 ticks", edited(t, "three-slots", map[string]any{"at": 2, "op": "schedule", "timer": "x", "delay": int64(9007199254740993)}).atTick(t, 2))
	if text := eval[string](p, `fetch(document.getElementById("export-scenario").href).then((r) => r.text())`); !strings.Contains(text, `9007199254740993`) {
		t.Errorf("the scenario is now %s", text)
	}
}

// TestScenarioFiles opens files: a valid one is shown, an invalid one is refused in one clear line
// and nothing is lost.
func TestScenarioFiles(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	was := p.shown()
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, says string }{
		"broken.json":  {`{"wheelscope": 1,`, "broken.json"},
		"slots.json":   {strings.Replace(string(read(t, "every-rule.json")), `"slots": 8`, `"slots": 0`, 1), "lanes[0].slots"},
		"version.json": {`{"wheelscope": 9, "lanes": [], "workload": {}}`, "wheelscope"},
	} {
		p.upload(filepath.Join(dir, name), c.text)
		p.wait(`document.querySelector("#problem:not([hidden])")?.textContent.includes(` + quote(c.says) + `)`)
		compareShown(t, "after "+name, p.shown(), was)
	}
	p.upload(filepath.Join(dir, "good.json"), string(read(t, "every-rule.json")))
	p.wait(`document.querySelectorAll("section[data-lane]").length === 11`)
	p.wait(`document.getElementById("problem").hidden`)
	p.settle()
	in := instantsOf(t, read(t, "every-rule.json"))
	compareShown(t, "another scenario", p.shown(), in.atSeq(t, 0))
	p.button("Fast-forward")
	p.atEnd(in)
	compareShown(t, "at its end", p.shown(), in.atTick(t, in.until()))
}

// upload gives a file to the page's file field.
func (p *tab) upload(name, text string) {
	p.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		p.Fatal(err)
	}
	p.do(chromedp.SetUploadFiles(chromedp.ID("file"), []string{name}))
}

// TestFileWithoutAName opens a scenario without title and name, in both languages: the window, the
// heading and the picker show a replacement.
func TestFileWithoutAName(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	name := filepath.Join(t.TempDir(), "some.json")
	for lang, called := range map[string]string{"en": "Scenario without a name", "zh": "未命名的场景"} {
		p.open(s.url + "/?view=lab&scenario=three-slots&lang=" + lang)
		p.upload(name, `{"wheelscope":1,"until":3,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[]}}`)
		p.wait(`document.getElementById("title").textContent === ` + quote(called))
		p.wait(`document.title === ` + quote(called+" · Wheelscope"))
		p.wait(`document.getElementById("scenario-title").textContent.includes(` + quote(called) + `)`)
	}
}
