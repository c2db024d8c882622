package tracefile

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
)

// diffOf verifies a trace that is well-formed but differs from its scenario's run.
func diffOf(t *testing.T, trace string) *Diff {
	t.Helper()
	_, err := verifyTrace([]byte(trace))
	diff, ok := errors.AsType[*Diff](err)
	if !ok {
		t.Fatalf("got %v, want a difference", err)
	}
	return diff
}

// A difference is explained by the fields that differ, in one line.
func TestExplainEvents(t *testing.T) {
	lines := traceLines(smallTrace(t))
	last := len(lines)
	change := func(at int, old, new string) string {
		out := append([]string{}, lines...)
		if out[at-1] = strings.Replace(out[at-1], old, new, 1); out[at-1] == lines[at-1] {
			t.Fatalf("line %d has no %s: %s", at, old, lines[at-1])
		}
		return strings.Join(out, "")
	}
	shorter := resealed(append(append([]string{}, lines[:last-2]...), lines[last-1]), last-3)
	longer := resealed(renumbered(append(append(append([]string{}, lines[:last-1]...), lines[last-2]), lines[last-1])), last-1)
	for name, c := range map[string]struct{ trace, want string }{
		"due":   {change(2, `"due":2`, `"due":3`), "line 2: due is 3, the run has 2 (tick 0, lane rounds, a)"},
		"two":   {change(3, `"slot":2,"rounds":0`, `"slot":1,"rounds":7`), "line 3: slot is 1, the run has 2; rounds is 7, the run has 0 (tick 0, lane rounds, a)"},
		"lane":  {change(2, `"lane":"rounds"`, `"lane":"w"`), "line 2: lane is w, the run has rounds (tick 0, a)"},
		"extra": {change(2, `"due":2`, `"due":2,"run":2`), "line 2: run is 2, the run has none (tick 0, lane rounds, a)"},
		"timer": {change(2, `"timer":"a"`, `"timer":"a b\n"`), `line 2: timer is "a b\n", the run has a (tick 0, lane rounds)`},
		"kind":  {change(2, `"schedule","id":1,"timer":"a"`, `"pend","id":1,"timer":"a"`), "line 2: kind is pend, the run has schedule (tick 0, lane rounds, a)"},
		"ends":  {shorter, fmt.Sprintf("line %d: the trace ends here, the run goes on with expire (tick 5, lane w, a)", last-1)},
		"on":    {longer, fmt.Sprintf("line %d: the run ends here, the trace goes on with expire (tick 5, lane w, a)", last)},
	} {
		if got := diffOf(t, c.trace).Error(); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

// Bytes after the end of a packed trace are reported as such, and several gzip members are one
// trace.
func TestPackedTraceWithTrailer(t *testing.T) {
	trace := smallTrace(t)
	for _, tail := range []string{"x", "\n", strings.Repeat("\x00", 600)} {
		if _, err := verifyTrace(append(pack(trace), tail...)); err == nil || !strings.Contains(err.Error(), errPackTrailer.Error()) {
			t.Errorf("%.5q after the end: %v", tail, err)
		}
	}
	if kind, err := verifyTrace(append(pack(trace[:300]), pack(trace[300:])...)); kind != "identical" {
		t.Errorf("two members: %s (%v)", kind, err)
	}
}

// The program of the header, and so the length of the run, is known before the run begins.
func TestVerifyReportsTheProgram(t *testing.T) {
	var until int64
	o := Options{Planned: func(p *program.Program) { until = p.Until }}
	if _, err := Verify(t.Context(), strings.NewReader(string(smallTrace(t))), o); err != nil || until != 9 {
		t.Errorf("until %d, %v; want 9", until, err)
	}
}
