//go:build !race

// Long tests of which a second goroutine only reads ahead or computes another lane, which shorter
// tests do under -race; see the Makefile.

package compare

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

const (
	exampleReader  = "../../docs/examples/trace_counts.py"
	exampleLineMax = 60 // most lines of the example
)

// pythonCounts returns the output of the example reader for a trace.
func pythonCounts(t *testing.T, trace []byte) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "python3", exampleReader, "-")
	c.Stdin = bytes.NewReader(trace)
	out, err := c.Output()
	return string(out), err
}

// The reader of docs/examples computes the results of Compare from the events alone.
func TestTraceExampleCounts(t *testing.T) {
	for _, name := range []string{"three-slots", "lateness", "lk668-remove-twice", "netty-mask", "calendar-skew", "redis-worker-dies", "paper-clock"} {
		data, _ := library.Builtin(name)
		p := plantest.Load(t, data)
		rows, err := Lanes(context.Background(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		var want strings.Builder
		out := csv.NewWriter(&want)
		out.Write(strings.Fields("lane algorithm fired cancelled rejected early early_max late late_max late_p99 findings"))
		for _, r := range rows {
			cells := []string{r.Lane, r.Algorithm}
			for _, n := range []int64{r.Fired, r.Cancelled, r.Rejected, r.Early, r.EarlyMax, r.Late, r.LateMax, r.LateP99, r.Findings} {
				cells = append(cells, strconv.FormatInt(n, 10))
			}
			out.Write(cells)
		}
		out.Flush()
		if got, err := pythonCounts(t, writtenTrace(t, p, tracefile.Options{})); err != nil || got != want.String() {
			t.Errorf("%s: %v, python3 prints\n%swant\n%s", name, err, got, &want)
		}
	}
}

// The example refuses damaged traces.
func TestTraceExampleRefuses(t *testing.T) {
	data, _ := library.Builtin("three-slots")
	trace := writtenTrace(t, plantest.Load(t, data), tracefile.Options{})
	for what, bad := range map[string][]byte{
		"nothing": nil, "cut": trace[:len(trace)/2], "no end line": trace[:bytes.LastIndexByte(trace[:len(trace)-1], '\n')+1],
		"another due": bytes.Replace(trace, []byte(`"due":2`), []byte(`"due":3`), 1), "more": slices.Concat(trace, []byte("{}\n")),
		"a gap": bytes.Replace(trace, []byte(`"seq":3,`), []byte(`"seq":4,`), 1),
	} {
		_, err := pythonCounts(t, bad)
		exit, ok := err.(*exec.ExitError)
		if !ok || exit.ExitCode() != 2 || bytes.Count(exit.Stderr, []byte("\n")) != 1 {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestTraceExampleIsShort(t *testing.T) {
	data, err := os.ReadFile(exampleReader)
	if n := bytes.Count(data, []byte("\n")); err != nil || n > exampleLineMax {
		t.Errorf("%v, %d lines, at most %d", err, n, exampleLineMax)
	}
}
