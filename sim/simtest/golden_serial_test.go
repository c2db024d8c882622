//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package simtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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
