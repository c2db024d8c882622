package lab_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// A trace that its scenario does not reproduce is exported as recorded, but only on request. The
// page says that it is not a run of this build.
func TestExportAsRecorded(t *testing.T) {
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	lines := strings.SplitAfter(trace, "\n")
	for i, line := range lines { // in one lane the first timer is due a tick later
		if strings.Contains(line, `"lane":"w","kind"`) && strings.Contains(line, `"id":1,`) {
			lines[i] = strings.NewReplacer(`"due":2`, `"due":3`, `"late":0`, `"late":-1`).Replace(line)
		}
	}
	other := strings.Join(lines, "")
	if other == trace {
		t.Fatalf("nothing was changed in\n%s", trace)
	}
	page := filepath.Join(t.TempDir(), "page.html")
	if r := clitest.Run(t, other, "export", "-", "-o", page); r.Code != 2 || !strings.Contains(r.Err, "export --as-recorded") {
		t.Errorf("without --as-recorded: %+v", r)
	}
	if r := clitest.Run(t, other, "export", "-", "-o", page, "--as-recorded"); r != (clitest.Result{}) {
		t.Fatalf("%+v", r)
	}
	if r := clitest.Run(t, "", "import", page); r.Code != 2 || !strings.Contains(r.Err, "differs from the run of its scenario: due is 3, the run has 2") {
		t.Errorf("imported: %+v", r)
	}
	same, recorded := filepath.Join(t.TempDir(), "same.html"), filepath.Join(t.TempDir(), "recorded.html")
	for name, args := range map[string][]string{same: nil, recorded: {"--as-recorded"}} {
		if r := clitest.Run(t, trace, append([]string{"export", "-", "-o", name}, args...)...); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	a, errA := os.ReadFile(same)
	b, errB := os.ReadFile(recorded)
	if errA != nil || errB != nil || string(a) != string(b) {
		t.Errorf("a trace of this build as recorded is another page: %v, %v", errA, errB)
	}
	broken := strings.Replace(other, `"kind":"expire","id":1`, `"kind":"expire","id":2`, 1)
	if r := clitest.Run(t, broken, "export", "-", "-o", page, "--as-recorded"); r.Code != 2 || !strings.Contains(r.Err, "does not fit those before it") {
		t.Errorf("an event that does not fit: %+v", r)
	}
}

// A file too large to be compared is refused before it is read.
func TestCompareRefusesBySize(t *testing.T) {
	const limit = 512 << 20
	name := filepath.Join(t.TempDir(), "large.jsonl")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(limit + 1); err != nil { // sparse: needs no space
		t.Fatal(err)
	}
	f.Close()
	allocated := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	before := allocated()
	r := clitest.Run(t, "", "compare", name, "three-slots")
	if r.Code != 2 || !strings.Contains(r.Err, "more than 536870912 bytes, the maximum for a comparison") {
		t.Errorf("%+v", r)
	}
	if taken := allocated() - before; taken > limit/8 {
		t.Errorf("%d bytes were allocated", taken)
	}
}
