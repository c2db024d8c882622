package simtest

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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

// A failure reports the first different event, its tick, both versions and the seed.
func TestGoldenReportsTheFirstDifference(t *testing.T) {
	file := pinned(t)
	var want, where string
	rewrite(t, file, func(trace string) string {
		lines := strings.Split(trace, "\n")
		at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, `"kind":"schedule","id":3,`) })
		want, where = lines[at], fmt.Sprintf("on line %d, at tick %s", at+1, tick(lines[at]))
		lines[at] = strings.Replace(want, `"due":`, `"due":1`, 1)
		return strings.Join(lines, "\n")
	})
	got := failureOf(func(tb testing.TB) { Golden(tb, []byte(goldenScenario), file) })
	for _, says := range []string{"golden " + file, where, "\n  run:  " + want, "\n  file: ", "seed: 42 (timers conn…)", "-simtest.update"} {
		if !strings.Contains(got, says) {
			t.Errorf("the failure does not say %q:\n%s", says, got)
		}
	}
}

func TestGoldenFails(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(string) string
		says   string
	}{
		{"another scenario", func(s string) string { return strings.Replace(s, `"slots":4`, `"slots":5`, 1) }, "the scenario differs from the one in the file"},
		{"an event left out", func(s string) string { return s[:strings.Index(s, `{"seq":3,`)] + s[strings.Index(s, `{"seq":4,`):] }, "line 4: seq is 4, expected 3"},
		{"cut", func(s string) string { return s[:len(s)-1] }, "does not end in a newline"},
		{"carriage returns", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, "a newline alone"},
		{"empty", func(string) string { return "" }, "the file is empty; expected a trace"},
	} {
		file := pinned(t)
		rewrite(t, file, c.change)
		if got := failureOf(func(tb testing.TB) { Golden(tb, []byte(goldenScenario), file) }); !strings.Contains(got, c.says) {
			t.Errorf("%s: %q does not say %q", c.name, got, c.says)
		}
	}
	if got := failureOf(func(tb testing.TB) { Golden(tb, []byte(goldenScenario), filepath.Join(t.TempDir(), "none")) }); !strings.Contains(got, "run the test with -simtest.update") {
		t.Errorf("no file: %q", got)
	}
	if got := failureOf(func(tb testing.TB) { Golden(tb, []byte("{}"), "x") }); !strings.Contains(got, "golden x: scenario: ") {
		t.Errorf("no scenario: %q", got)
	}
	if got := failureOf(func(tb testing.TB) { Golden(tb, "no-such-scenario", "x") }); !strings.Contains(got, `"no-such-scenario" is neither a file nor`) {
		t.Errorf("no scenario of that name: %q", got)
	}
}

// A recorded workload is in the header. If a long line differs, the failure shows the part around the
// difference.
func TestGoldenReportsWhereALongHeaderDiffers(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	header := func(last int) []byte {
		ops := strings.Repeat(`{"at":0,"op":"set","timer":"长","delay":5},`, 5000)
		return fmt.Appendf(nil, `{"wheelscope":1,"until":40,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[%s{"at":1,"op":"set","timer":"b","delay":%d}]}}`, ops, last)
	}
	file := filepath.Join(t.TempDir(), "long.jsonl")
	update(t, func() { Golden(t, header(7), file) })
	got := failureOf(func(tb testing.TB) { Golden(tb, header(8), file) })
	for _, says := range []string{"call 5001, timer b at tick 1: delay 7 in the file, 8 now", "\n  file: …", "\n  run:  …", `"timer":"b","delay":7}`, `"timer":"b","delay":8}`} {
		if !strings.Contains(got, says) {
			t.Errorf("the failure does not say %q:\n%.2000s", says, got)
		}
	}
	if len(got) > 2000 || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("%d bytes:\n%.2000s", len(got), got)
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

// A golden file whose name ends in .gz is packed, and its failures show its name.
func TestGoldenPacked(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	file := filepath.Join(t.TempDir(), "packed.jsonl.gz")
	update(t, func() { Golden(t, []byte(goldenScenario), file) })
	if data, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(data), "\x1f\x8b") {
		t.Errorf("%.20q, %v", data, err)
	}
	if got := failureOf(func(tb testing.TB) { Golden(tb, []byte(goldenScenario), file) }); got != "" {
		t.Error(got)
	}
	got := failureOf(func(tb testing.TB) { Golden(tb, "three-slots", file) })
	if !strings.Contains(got, string(filepath.Separator)+"packed.html") {
		t.Error(got)
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
