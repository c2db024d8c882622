package lab_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// Several traces are verified one after another; the exit code is the greatest.
func TestVerifySeveral(t *testing.T) {
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	good := clitest.WriteFile(t, "good.jsonl", trace)
	differs := clitest.WriteFile(t, "differs.jsonl", strings.Replace(trace, `"slot":2,"due":2`, `"slot":3,"due":2`, 1))
	broken := clitest.WriteFile(t, "broken.jsonl", strings.Replace(trace, `{"seq":3,`, `{"seq":4,`, 1))
	missing := filepath.Join(t.TempDir(), "missing.jsonl")
	same := ": identical, 15 events to tick 6\n"
	first := ": line 3: slot is 3, the run has 2 (tick 0, lane simple, a)\n"
	fault := "wheelscope: " + broken + ": line 4: seq is 4, expected 3\n"
	for _, c := range []struct {
		args     []string
		code     int
		out, err string
	}{
		{[]string{good, good}, 0, good + same + good + same, ""},
		{[]string{"-q", good, good}, 0, "", ""},
		{[]string{"-q", good, differs}, 1, differs + first, ""},
		{[]string{"-q", broken, differs, good}, 2, differs + first, fault},
		{[]string{"--quiet", differs, missing}, 2, differs + first, "wheelscope: open " + missing + ": no such file or directory\n"},
	} {
		if r := clitest.Run(t, "", append([]string{"verify"}, c.args...)...); r.Code != c.code || r.Out != c.out || r.Err != c.err {
			t.Errorf("verify %v: %+v\nwant exit %d, stdout %q, stderr %q", c.args, r, c.code, c.out, c.err)
		}
	}
	if r := clitest.Run(t, trace, "verify", "-", "-"); r.Code != 2 || !strings.Contains(r.Err, "standard input can be read only once") {
		t.Errorf("standard input twice: %+v", r)
	}
}

// Messages name the kind of files that are not traces.
func TestVerifyOtherFiles(t *testing.T) {
	scenario, err := os.ReadFile("../../../sim/testdata/golden/calendar.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"scenario":    {string(scenario), "this is a scenario, not a trace; wheelscope run writes its trace"},
		"one line":    {clitest.Tiny, "this is a scenario, not a trace"},
		"csv":         {"at,op,id,delay\n0,set,a,5", "this is a workload, not a trace; wheelscope import"},
		"an object":   {"{}\n", `line 1: found "{}"`},
		"an end line": {`{"kind":"end","tick":1}` + "\n", "line 1: found "},
	} {
		if r := clitest.Run(t, c.text, "verify", "-"); r.Code != 2 || !strings.Contains(r.Err, c.want) || strings.Contains(r.Err, "cut short") {
			t.Errorf("%s: %+v, want %q", name, r, c.want)
		}
	}
}

func TestVerifyJSON(t *testing.T) {
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	for want, c := range map[string]struct {
		trace string
		code  int
	}{
		"identical": {trace, 0},
		"differs":   {strings.Replace(trace, `"slot":2,"due":2`, `"slot":3,"due":2`, 1), 1},
		"broken":    {strings.Replace(trace, `{"seq":3,`, `{"seq":4,`, 1), 2},
	} {
		var got struct{ Result string }
		r := clitest.Run(t, c.trace, "verify", "-", "--json")
		if err := json.Unmarshal([]byte(r.Out), &got); err != nil || r.Code != c.code || got.Result != want {
			t.Errorf("%s: %v, %+v", want, err, r)
		}
	}
}
