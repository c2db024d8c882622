package simtest

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/tracefile"
)

const goldenScenario = `{"wheelscope":1,"name":"pinned","until":40,"lanes":[{"algorithm":"rounds","slots":4},{"algorithm":"heap"}],
	"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":9}],
	"generate":[{"prefix":"conn","seed":42,"count":6,"arrivals":{"dist":"uniform","min":0,"max":9},"delay":{"dist":"uniform","min":1,"max":20}}]}}`

// fakeTB is a test that may fail.
type fakeTB struct {
	testing.TB
	name    string // "" means "TestFake/of: golden"
	failure string
}

func (f *fakeTB) Helper() {}

func (f *fakeTB) Name() string { return cmp.Or(f.name, "TestFake/of: golden") }

func (f *fakeTB) Fatalf(format string, args ...any) {
	f.failure = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// failureOf returns the message with which test fails, or "" if it passes.
func failureOf(test func(testing.TB)) string { return failureOfNamed("", test) }

func failureOfNamed(name string, test func(testing.TB)) string {
	f := &fakeTB{name: name}
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(f)
	}()
	<-done
	return f.failure
}

// update runs f with -simtest.update.
func update(t *testing.T, f func()) {
	t.Helper()
	before := flag.Lookup("simtest.update").Value.String()
	if err := flag.Set("simtest.update", "true"); err != nil {
		t.Fatal(err)
	}
	defer flag.Set("simtest.update", before)
	f()
}

// pinned writes a golden file of the scenario and returns its path. The pages of failures are
// removed with the test.
func pinned(t *testing.T) string {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	file := filepath.Join(t.TempDir(), "new", "pinned.jsonl")
	update(t, func() { Golden(t, []byte(goldenScenario), file) })
	return file
}

// rewrite changes a golden file.
func rewrite(t *testing.T, file string, change func(string) string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(change(string(data))), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestGoldenPasses(t *testing.T) {
	file := pinned(t)
	if got := failureOf(func(tb testing.TB) { Golden(tb, []byte(goldenScenario), file) }); got != "" {
		t.Error(got)
	}
	named := filepath.Join(t.TempDir(), "pinned.json")
	if err := os.WriteFile(named, []byte(goldenScenario), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := failureOf(func(tb testing.TB) { Golden(tb, named, file) }); got != "" {
		t.Errorf("by its file: %s", got)
	}
	builtin := filepath.Join(t.TempDir(), "builtin.jsonl")
	update(t, func() { Golden(t, "three-slots", builtin) })
	if got := failureOf(func(tb testing.TB) { Golden(tb, "three-slots", builtin) }); got != "" {
		t.Errorf("a built-in: %s", got)
	}
}

func TestApart(t *testing.T) {
	x := strings.Repeat("x", lineMax)
	for _, c := range [][4]string{
		{"a", "b", "a", "b"},
		{x, x[1:] + "y", x, x[1:] + "y"},
		{x + "a" + x, x + "b", "…" + x[:lineMax/2] + "a" + x[:lineMax/2-1] + "…", "…" + x[:lineMax/2] + "b"},
		{"a" + x, "b", "a" + x[1:] + "…", "b"},
		{x, "", x, ""},
		{x + "a", x, "…" + x[:lineMax/2] + "a", "…" + x[:lineMax/2]},
	} {
		if a, b := shown(c[0], c[1]); a != c[2] || b != c[3] {
			t.Errorf("%.20s and %.20s: %s and %s", c[0], c[1], a, b)
		}
	}
}

func TestTick(t *testing.T) {
	for line, want := range map[string]string{`{"seq":1,"tick":12,"lane":"a"}`: "12", `{"kind":"end","tick":7}`: "7", "": ""} {
		if got := tick(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestUpdating(t *testing.T) {
	if *updating {
		t.Fatal("the tests of this package are not run with -simtest.update")
	}
	update(t, func() {
		if !*updating {
			t.Error("-simtest.update is not seen")
		}
	})
}

// lineMax is the number of bytes of a long line that Diff.Shown returns.
const lineMax = 400

func shown(a, b string) (string, string) {
	return (&tracefile.Diff{Got: a, Want: b}).Shown()
}
