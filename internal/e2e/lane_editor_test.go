package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// lanesOf is a built-in scenario with other lanes.
func lanesOf(t *testing.T, name string, change func(lanes []any) []any) *instants {
	t.Helper()
	return remade(t, name, func(s map[string]any) { s["lanes"] = change(s["lanes"].([]any)) })
}

// setField sets the value of a field of the open lane form, as if typed.
func (p *tab) setField(name, value string) {
	p.Helper()
	p.run(fmt.Sprintf(`(() => { const f = document.querySelector(".lane-form"); const c = [...f.querySelectorAll("input, select")].find((e) => e.id.endsWith("-" + %s));
		c.value = %s; c.dispatchEvent(new Event("change", {bubbles: true})); })()`, quote(name), quote(value)))
}

// becomes waits until the page shows a position, whatever it shows meanwhile.
func (p *tab) becomes(what string, want shown) {
	p.Helper()
	for end := time.Now().Add(settleTime); ; time.Sleep(20 * time.Millisecond) {
		p.settle()
		difference := differ(p.shown(), want)
		if difference == "" {
			return
		}
		if time.Now().After(end) {
			p.Fatalf("%s: %s\n%s", what, difference, p.where())
		}
	}
}

// TestLaneEditor adds, changes, moves and removes lanes, and undoes it all: each time the page has
// the run of the scenario with those lanes.
func TestLaneEditor(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	p.button("Lanes")
	p.wait(`document.querySelectorAll("[data-edit-lane]").length === 5`)

	p.button("Add a lane…")
	p.setField("algorithm", "heap")
	p.setField("id", "four")
	p.setField("arity", "4")
	p.button("Add this lane")
	four := map[string]any{"id": "four", "algorithm": "heap", "arity": 4}
	add := func(lanes []any) []any { return append(lanes, four) }
	p.wait(`document.querySelectorAll("section[data-lane]").length === 6`)
	p.becomes("a lane added", lanesOf(t, "three-slots", add).atTick(t, 2))

	p.button("Edit lane simple")
	p.setField("slots", "6")
	p.button("Apply")
	change := func(lanes []any) []any {
		lanes = add(lanes)
		lanes[0].(map[string]any)["slots"] = 6
		return lanes
	}
	p.becomes("a lane changed", lanesOf(t, "three-slots", change).atTick(t, 2))

	p.button("Move lane rounds forward")
	move := func(lanes []any) []any {
		lanes = change(lanes)
		lanes[0], lanes[1] = lanes[1], lanes[0]
		return lanes
	}
	p.wait(`document.querySelector("section[data-lane]").dataset.lane === "rounds"`)
	p.becomes("a lane moved", lanesOf(t, "three-slots", move).atTick(t, 2))

	p.button("Remove lane heap")
	remove := func(lanes []any) []any {
		lanes = move(lanes)
		return append(lanes[:4:4], lanes[5])
	}
	p.wait(`document.querySelectorAll("section[data-lane]").length === 5`)
	p.becomes("a lane removed", lanesOf(t, "three-slots", remove).atTick(t, 2))

	p.press(kb.Escape)
	p.run(`document.activeElement.blur()`)
	for _, back := range []func([]any) []any{move, change, add, func(l []any) []any { return l }} {
		p.press("u")
		p.becomes("taken back", lanesOf(t, "three-slots", back).atTick(t, 2))
	}
	p.wait(`document.getElementById("undo").disabled`)
	for _, again := range []func([]any) []any{add, change, move, remove} {
		p.press("z", chromedp.ModifierCtrl, chromedp.ModifierShift)
		p.becomes("done again", lanesOf(t, "three-slots", again).atTick(t, 2))
	}
	p.wait(`document.getElementById("redo").disabled`)
}

// TestCopyLane copies a lane and changes the copy.
func TestCopyLane(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	p.button("Lanes")
	p.wait(`document.querySelectorAll("[data-edit-lane]").length === 5`)
	p.button("Copy lane hierarchical")
	p.wait(`document.querySelector(".lane-form [name=id]")?.value === "hierarchical-2"`)
	p.setField("slots", "4, 5")
	p.run(`document.querySelector(".lane-form .primary").click()`)
	p.becomes("a lane copied and changed", lanesOf(t, "three-slots", func(lanes []any) []any {
		return append(lanes, map[string]any{"id": "hierarchical-2", "algorithm": "hierarchical", "slots": []int{4, 5}, "levels": 2})
	}).atTick(t, 2))
}

// TestLaneThatIsRefused enters invalid values in the lane editor: the error is at its field in the
// page's language, and nothing is lost.
func TestLaneThatIsRefused(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for lang, says := range map[string]map[string]string{
		"en": {"edit": "Edit lane simple", "apply": "Apply", "lanes": "Lanes", "range": "between 1 and 65536", "taken": "expected an id of its own", "whole": "a whole number"},
		"zh": {"edit": "编辑泳道 simple", "apply": "应用", "lanes": "泳道", "range": "介于 1 与 65536 之间", "taken": "须有自己的 id", "whole": "之间的整数"},
	} {
		p := newTab(t)
		p.open(s.url + "/?view=lab&scenario=three-slots&t=2&lang=" + lang)
		was := p.shown()
		p.button(says["lanes"])
		p.wait(`document.querySelectorAll("[data-edit-lane]").length === 5`)
		p.button(says["edit"])
		for _, c := range []struct{ field, value, says string }{
			{"slots", "0", says["range"]}, {"slots", "99999999999999999999", says["whole"]}, {"slots", "three", says["whole"]}, {"id", "heap", says["taken"]},
		} {
			p.setField(c.field, c.value)
			p.button(says["apply"])
			p.wait(fmt.Sprintf(`[...document.querySelectorAll(".lane-form .error")].some((e) => e.id.endsWith("-%s-error") && e.textContent.includes(%s))`, c.field, quote(c.says)))
			compareShown(t, lang+" after "+c.value, p.shown(), was)
			p.setField("slots", "3")
		}
	}
}

// TestEveryAlgorithmAsALane adds every algorithm of the catalogue with the initial values of its
// form, which include all parameters that the algorithm needs.
func TestEveryAlgorithmAsALane(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=simple-three&t=1")
	p.button("Lanes")
	lanes := `document.querySelectorAll("section[data-lane]").length`
	p.wait(lanes + ` > 0 && document.querySelectorAll("[data-edit-lane]").length === ` + lanes)
	before := eval[int](p, lanes)
	catalogue := algorithms.Catalogue()
	for i := range catalogue {
		p.run(`document.getElementById("lane-add").click()`)
		p.setField("algorithm", catalogue[i].ID)
		p.setField("id", "the-"+catalogue[i].ID)
		if n := eval[int](p, `document.querySelectorAll(".lane-form .field").length`); n != 2+len(catalogue[i].Parameters) {
			t.Errorf("%s: the form has %d fields, the algorithm %d parameters beside name and algorithm", catalogue[i].ID, n, len(catalogue[i].Parameters))
		}
		p.run(`document.querySelector(".lane-form .primary").click()`)
		p.wait(fmt.Sprintf(`%s === %d && !document.querySelector(".lane-form")`, lanes, before+i+1))
	}
}
