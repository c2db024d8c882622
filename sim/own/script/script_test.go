package script

import (
	"strings"
	"testing"
)

const source = `function create(start, params) {
  const dues = new Map(); let now = start;
  return {
    schedule(key, due) { dues.set(key, due); return true; },
    cancel(key) { return dues.delete(key); },
    advance(to) {
      now = to;
      const fired = [...dues].filter(([, due]) => due <= to).sort((a, b) => a[1] - b[1]).map(([key]) => key);
      for (const key of fired) dues.delete(key);
      return fired;
    },
    layout() { return [{slots: params.slots, width: 1}]; },
    place(key) { return {level: 0, slot: dues.get(key) % params.slots, rounds: 0}; },
  };
}`

func TestServe(t *testing.T) {
	for _, c := range []struct{ source, in, out, err string }{
		{source, `{"do":"create","start":3,"slots":8,"levels":1}
{"do":"schedule","key":1,"due":12}
{"do":"place","key":1}
{"do":"advance","to":12}
{"do":"cancel","key":1}
{"do":"cost"}`, "[[8,1]]\ntrue\n[0,4,0]\n[1]\nfalse\nnull\n", ""},
		{"let a = ;", "", "", "SyntaxError: w.js: Line 1:9 Unexpected token ;"},
		{"let a = 1", "", "", "w.js: there is no function create(start, params)"},
		{"function create() { return 1 }", `{"do":"create"}`, "", "create returned 1; expected an object"},
		{"function create() { return {cancel() { return Date.now() }} }", `{"do":"create"}` + "\n" + `{"do":"cancel"}`, "true\n", "ReferenceError: Date is not defined at cancel (w.js:1:47"},
		{"function create() { return {cancel() { return this.cancel() }} }", `{"do":"create"}` + "\n" + `{"do":"cancel"}`, "true\n", "more than 1000 calls within calls at cancel"},
		{strings.Repeat(" ", SourceMax+1), "", "", "w.js: 32769 bytes; a source has at most 32768"},
	} {
		var out strings.Builder
		err := Serve("w.js", c.source, 1, strings.NewReader(c.in), &out)
		if out.String() != c.out || (err == nil) != (c.err == "") || err != nil && (!strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%.40s: %q, %v; want %q, %q", c.source, out.String(), err, c.out, c.err)
		}
	}
}

// Random numbers are the same for every wheel of a source.
func TestRandomIsFixed(t *testing.T) {
	var out strings.Builder
	in := `{"do":"create"}` + "\n" + `{"do":"advance","to":1}` + "\n"
	if err := Serve("w.js", "function create() { return {advance() { return [Math.floor(Math.random() * 1e6)] }} }", 7, strings.NewReader(in+in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(out.String())
	if len(lines) != 4 || lines[1] != lines[3] {
		t.Errorf("%q", lines)
	}
}
