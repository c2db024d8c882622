package compare

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// branches returns two programs with different workloads, so that ids have to be mapped.
func branches(t *testing.T) (a, b *program.Program) {
	t.Helper()
	return plantest.Load(t, ops(exactLane, twoTimers)), plantest.Load(t, ops(exactLane, `{"at":1,"op":"schedule","timer":"new","delay":3},`+twoTimers))
}

// altered returns the trace of a program with the first occurrence of a text replaced. The end
// line is unchanged.
func altered(t *testing.T, p *program.Program, from, to string) []byte {
	t.Helper()
	trace := writtenTrace(t, p, tracefile.Options{})
	other := bytes.Replace(trace, []byte(from), []byte(to), 1)
	if bytes.Equal(trace, other) {
		t.Fatalf("no %s in\n%s", from, trace)
	}
	return other
}

// TestComparisonRefusesUnknownIDs checks that a line with an id that is not in the scenario fails.
func TestComparisonRefusesUnknownIDs(t *testing.T) {
	a, b := branches(t)
	for _, to := range []string{`"before":99,"due":`, `"before":4294967295,"due":`} {
		side := openSide(t, altered(t, b, `"slot":5,"due":`, `"slot":5,`+to))
		_, err := NewComparison(context.Background(), []Side{{Name: "a", Program: a}, side}, tracefile.Options{})
		if broken, ok := errors.AsType[*tracefile.LineError](err); !ok || !strings.Contains(broken.Reason.Error(), "before is ") || !strings.Contains(broken.Reason.Error(), "the scenario has 4 timers") {
			t.Errorf("%s: %v", to, err)
		}
	}
}

// TestLinesRefuseNumbersPastTheirField checks that a number too large for its field is refused.
func TestLinesRefuseNumbersPastTheirField(t *testing.T) {
	_, b := branches(t)
	for from, to := range map[string]string{
		`"id":1,`: `"id":4294967297,`, `"slot":5,"due"`: `"slot":4294967301,"due"`, `"from":{"level":0`: `"from":{"level":128`,
		`5,"due":5}`: `5,"before":4294967297,"due":5}`, `"count":0`: `"count":4294967297`,
	} {
		_, err := OpenSide(context.Background(), "x", altered(t, b, from, to), tracefile.Options{})
		if broken, ok := errors.AsType[*tracefile.LineError](err); !ok || !strings.Contains(broken.Reason.Error(), "expected a whole number between ") {
			t.Errorf("%s: %v", to, err)
		}
	}
}

// TestComparisonBoundsATick checks the limit of the lines of one tick, which are kept in memory.
func TestComparisonBoundsATick(t *testing.T) {
	p := plantest.Load(t, ops(exactLane, twoTimers))
	for most, want := range map[int]string{tracefile.TickMax: "", 100: "line 3: the lines of one tick have more than 100 bytes"} {
		side := Side{Name: "x", Program: p, Trace: &TraceSide{data: writtenTrace(t, p, tracefile.Options{})}}
		source, err := side.source(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		source.(*traceSource).linesMax = most
		if _, err := source.recordsAt(0); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("at most %d bytes: %v, want %q", most, err, want)
		}
	}
}
