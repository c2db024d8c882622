package importer

import (
	"bufio"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/scenario"
)

// repeated returns the same line without end.
type repeated struct {
	line string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.line[r.at]
		r.at = (r.at + 1) % len(r.line)
	}
	return len(p), nil
}

// An endless workload is read up to the first operation beyond the limit.
func TestWorkloadsStopAtTheBound(t *testing.T) {
	w := &workload{ops: make([]scenario.Op, scenario.OpsMax-2)}
	l := &lines{ctx: t.Context(), in: bufio.NewReader(&repeated{line: `{"at":0,"op":"set","id":"a","delay":5}` + "\n"})}
	if _, err := w.read(l, &Options{}, func(text []byte) (row, *Fault) { return objectRow(text, newFieldNames(nil)) }); err == nil || err.Error() != "line 3: more than 1048576 operations are not allowed" {
		t.Error(err)
	}
}

// A trace of the kernel has a limit for started timers and one for all stored events.
func TestKernelTracesStopAtTheBound(t *testing.T) {
	for kind, k := range map[string]*kernelTrace{
		"start":        {starts: scenario.OpsMax - 1},
		"cancel":       {events: make([]kernelLine, kernelEventsMax-1, kernelEventsMax)},
		"expire_entry": {events: make([]kernelLine, kernelEventsMax-1, kernelEventsMax)},
	} {
		if fault := k.take(kernelLine{kind: kind}); fault != nil {
			t.Errorf("%s: the last is refused: %v", kind, fault)
		}
		if fault := k.take(kernelLine{kind: kind, line: 7}); fault == nil || !strings.HasPrefix(fault.Error(), "line 7: more than ") {
			t.Errorf("%s: one more: %v", kind, fault)
		}
		if fault := k.take(kernelLine{kind: "init"}); fault != nil {
			t.Errorf("an event that does not matter is refused: %v", fault)
		}
	}
}

// heapAtEnd ends a file and measures the memory in use then.
type heapAtEnd struct{ bytes uint64 }

func (h *heapAtEnd) Read([]byte) (int, error) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.bytes = m.HeapAlloc
	return 0, io.EOF
}

// Long lines use no memory except for the operations in them.
func TestLinesAreNotKept(t *testing.T) {
	blank := strings.Repeat(" ", LineMax-100)
	for name, file := range map[string]struct{ head, line string }{
		"csv":    {"at,op,id,delay\n", "0,set,a," + blank + "5\n"},
		"kernel": {"", "timer_start: timer=1 " + blank + " function=f expires=12 [timeout=2]\n"},
	} {
		var before, after heapAtEnd
		before.Read(nil)
		text := io.MultiReader(strings.NewReader(file.head), io.LimitReader(&repeated{line: file.line}, 400*int64(len(file.line))), &after)
		if _, err := Read(t.Context(), text, Options{}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if after.bytes > before.bytes+16<<20 {
			t.Errorf("%s: %d bytes are kept of 400 lines", name, after.bytes-before.bytes)
		}
	}
}
