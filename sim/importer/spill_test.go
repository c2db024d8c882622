package importer

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/scenario"
)

// rowsOf returns a table of n operations at increasing Unix times, with its first two rows exchanged and the given last row.
func rowsOf(n int, last string) io.Reader {
	var b strings.Builder
	b.WriteString("at,op,id,delay\n1700000000.002,schedule,b,5\n1700000000,schedule,a,5\n")
	for i := 2; i < n; i++ {
		fmt.Fprintf(&b, "%d.%03d,set,a,%d\n", 1_700_000_001+i/1000, i%1000, i%7)
	}
	b.WriteString(last)
	return strings.NewReader(b.String())
}

// A workload with more operations than a scenario has is passed on in order of time, in ticks from its first operation.
func TestSpill(t *testing.T) {
	const n = scenario.OpsMax + 1000
	got, last := 0, int64(0)
	o := Options{Name: "big.csv", Spill: func(op *scenario.Op) {
		if op.At < last || got == 0 && (op.Timer != "a" || op.At != 0) || got == 1 && op.At != 2 {
			t.Fatalf("operation %d is at %d, after %d: %+v", got, op.At, last, op)
		}
		last = op.At
		got++
	}}
	res, err := Read(t.Context(), rowsOf(n, ""), o)
	if err != nil || res.Program != nil || res.Name != "big" || got != n {
		t.Errorf("%d operations, %v, %+v", got, err, res)
	}
	if _, err := Read(t.Context(), rowsOf(n, "1700000000,set,a,5\n"), Options{Spill: func(*scenario.Op) {}}); err == nil || !strings.Contains(err.Error(), "in order of time") {
		t.Error(err)
	}
	if _, err := Read(t.Context(), rowsOf(n, ""), Options{}); err == nil || !strings.Contains(err.Error(), "more than 1048576 operations") {
		t.Error(err)
	}
}
