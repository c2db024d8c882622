package script_test

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/sim/own/script"
)

// firstFault returns the sentence about the first fault of a source, or "".
func firstFault(t *testing.T, source string) string {
	t.Helper()
	r, err := script.NewJudged("w.js", source, 1).Try(t.Context(), &own.Exam{Options: own.Options{Runs: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if g := r.First(); g != nil {
		return g.Fault.Text
	}
	return ""
}

func TestJudged(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{readSource(t, "rounds.js"), ""},
		{strings.Replace(readSource(t, "rounds.js"), "due - now - 1", "due - now", 1), "after advance(8), timer 1 (due 8) has not fired; it was scheduled at 0 (level 0, slot 0, rounds 1), and fires at 16, 8 ticks late"},
		{strings.Replace(readSource(t, "rounds.js"), "return where.get(key)", "return {level: 0, slot: 8}", 1), "timer 1 is in slot 8 of level 0 with 0 rounds, which the layout does not have"},
		{"let a = ;", "create(0): SyntaxError: w.js: Line 1:9 Unexpected token ; (and 1 more errors)"},
		{"let a = 1", "create(0): w.js: there is no function create(start, params)"},
		{"function create() { return 1 }", "create(0): create returned 1; expected an object with schedule, cancel and advance"},
		{"function create() { return {} }", "schedule(1, 1): the wheel has no method schedule"},
		{"function create() { return {schedule() { return Date.now() }} }", "schedule(1, 1): ReferenceError: Date is not defined at schedule (w.js:1:49(1))"},
		{"function create() { return {schedule() { return this.schedule() }} }", "schedule(1, 1): more than 1000 calls within calls at schedule (w.js:1:62(4))"},
		{"function create() { return {schedule() { for (;;); }} }", "schedule(1, 1) has not returned after 1s"},
		{"for (;;);", "create(0): no answer after 1s"},
		{"function create() { return {schedule() { return true }, advance() { return [0.5] }} }", "advance(1): it returned the key 0.5, which was never scheduled"},
		{strings.Repeat(" ", script.SourceMax+1), "create(0): w.js: 32769 bytes; a source has at most 32768"},
	} {
		if got := firstFault(t, c.source); got != c.want {
			t.Errorf("%.60s: %q, want %q", c.source, got, c.want)
		}
	}
}

// Random numbers are the same for every wheel of a source.
func TestRandomIsFixed(t *testing.T) {
	source := `let first; function create() { const n = Math.random(); first ??= n; if (n !== first) throw new Error("differs"); return ` +
		`{schedule() { return true }, cancel() { return false }, advance() { return [] }} }`
	for range 2 {
		if got := firstFault(t, source); !strings.HasPrefix(got, "after advance(1), timer 1 (due 1) has not fired") {
			t.Error(got)
		}
	}
}
