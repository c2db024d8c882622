package lab_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

const workloadCSV = "at,op,id,delay,every,times\n0,schedule,a,5,,\n2,cancel,a,,,\n3,schedule,beat,2ms,2,3\n"

// A workload is imported as a scenario; commands that run, compare or serve scenarios accept it.
func TestImportWorkload(t *testing.T) {
	name := filepath.Join(t.TempDir(), "mine.csv")
	if err := os.WriteFile(name, []byte(workloadCSV), 0o666); err != nil {
		t.Fatal(err)
	}
	r := clitest.Run(t, "", "import", name)
	if r.Code != 0 || !strings.HasPrefix(r.Out, `{"wheelscope":1,"name":"mine",`) || r.Err != name+": csv\n"+name+": 3 operations on 2 timers, up to tick 11\n" {
		t.Fatalf("%+v", r)
	}
	trace := clitest.Run(t, r.Out, "run", "-").Out
	for what, got := range map[string]string{
		"by its name":       clitest.Run(t, "", "run", name).Out,
		"from stdin, named": strings.Replace(clitest.Run(t, workloadCSV, "run", "-").Out, `"imported","title":"imported"`, `"mine","title":"mine"`, 1),
	} {
		if lines := strings.Split(got, "\n"); len(lines) < 5 || lines[0] != strings.Split(trace, "\n")[0] {
			t.Errorf("%s: %.200s", what, got)
		}
	}
	if r := clitest.Run(t, "", "compare", name, "--format", "csv"); strings.Count(r.Out, "\n") != 4 {
		t.Errorf("compare: %+v", r)
	}
	lanes := clitest.Run(t, "", "import", name, "--lanes", "three-slots").Out
	if !strings.Contains(lanes, `"lanes":[{"id":"simple","algorithm":"simple","slots":3`) {
		t.Errorf("with lanes of another: %s", lanes)
	}
	if r := clitest.Run(t, lanes, "import", name, "--lanes", "-"); r.Out != lanes {
		t.Errorf("with lanes from standard input: %+v", r)
	}
}

// Export → import → export is the identity on the command line, for every format that contains
// a run.
func TestImportOfExports(t *testing.T) {
	trace := clitest.Run(t, "", "run", "cascade-storm").Out
	dir := t.TempDir()
	for _, as := range []string{"perfetto", "html"} {
		file, again := filepath.Join(dir, "file"), filepath.Join(dir, "again.jsonl")
		if r := clitest.Run(t, trace, "export", "-", "--as", as, "-o", file); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
		r := clitest.Run(t, "", "import", file, "-o", again)
		back, err := os.ReadFile(again)
		if err != nil || r.Code != 0 || string(back) != trace || !strings.Contains(r.Err, "each as its scenario gives it") {
			t.Errorf("%s: %+v, %v", as, r, err)
		}
	}
	if r := clitest.Run(t, trace, "import", "-"); !strings.Contains(trace, strings.TrimSpace(r.Out)) || r.Out == "" {
		t.Errorf("%+v", r)
	}
}

// A failed import prints one line, and leaves no file.
func TestImportRefuses(t *testing.T) {
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	dir := t.TempDir()
	out := filepath.Join(dir, "out.json")
	for _, c := range []struct {
		in, err string
		args    []string
	}{
		{"at,op,id,delay\n0,schedule,a,x\n1,schedule,b,\n", `standard input: 2 faults: line 2: delay: "x" is not ticks, or a duration such as 5ms; line 3: delay: missing`, nil},
		{strings.Replace(trace, `"slot":2,"due":2`, `"slot":3,"due":2`, 1), `standard input: line 3 differs from the run of its scenario: slot is 3, the run has 2 (tick 0, lane simple, a); found {"seq":2,`, nil},
		{trace[:100], "standard input: line 1: ", nil},
		{"hello", `standard input: the file begins with "hello"`, nil},
		{trace, "--lanes: ", []string{"--lanes", "no-such"}},
		{trace, "--lanes: only for a workload; standard input is a trace, which has its own lanes", []string{"--lanes", "three-slots"}},
		{trace, "FILE and --lanes are both -; standard input can be read only once", []string{"--lanes", "-"}},
		{trace, "the name is that of a directory", []string{"-o", dir}},
	} {
		r := clitest.Run(t, c.in, append([]string{"import", "-", "-o", out}, c.args...)...)
		lines := strings.Split(strings.TrimSpace(r.Err), "\n")
		if r.Code != 2 || !strings.Contains(lines[len(lines)-1], c.err) {
			t.Errorf("%q: %+v, want %q", c.in[:min(len(c.in), 20)], r, c.err)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a file is left behind")
	}
	if r := clitest.Run(t, "at,op,id,delay\n0,schedule,a,x\n", "run", "-"); r.Code != 2 || r.Err != "wheelscope: standard input: line 2: delay: \"x\" is not ticks, or a duration such as 5ms\n" {
		t.Errorf("run: %+v", r)
	}
}
