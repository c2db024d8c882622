//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package simtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/player"
)

// A failing test writes a page with its run and reports its path. A second failure overwrites
// the page.
func TestFailureLeavesAPage(t *testing.T) {
	file := pinned(t)
	rewrite(t, file, func(trace string) string {
		return strings.Replace(trace, `"kind":"schedule","id":3,`, `"kind":"schedule","id":4,`, 1)
	})
	for range 2 {
		got := failureOf(func(tb testing.TB) { Golden(tb, []byte(goldenScenario), file) })
		_, path, ok := strings.Cut(got, "to see the run at that event, open ")
		if !ok {
			t.Fatalf("no page: %s", got)
		}
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), player.TraceType) || !strings.HasSuffix(strings.TrimSpace(string(page)), "</html>") {
			t.Errorf("%s is no player: %.300s", path, page)
		}
		if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
			t.Errorf("beside the page: %v, %v", files, err)
		}
	}
}

// pageOf returns the path of the page of a failing test with that name.
func pageOf(t *testing.T, name, file string) string {
	t.Helper()
	got := failureOfNamed(name, func(tb testing.TB) { Golden(tb, []byte(goldenScenario), file) })
	_, path, ok := strings.Cut(got, "to see the run at that event, open ")
	if !ok {
		t.Fatalf("no page: %s", got)
	}
	return path
}

// A test of any name gets a page, and tests of the same name in two packages have different ones.
func TestPagesOfManyTests(t *testing.T) {
	file := pinned(t)
	rewrite(t, file, func(trace string) string { return strings.Replace(trace, `"due":9`, `"due":8`, 1) })
	long := "TestLong/" + strings.Repeat("长", 200)
	first := pageOf(t, long+"1", file)
	if again := pageOf(t, long+"1", file); again != first {
		t.Errorf("%s, then %s", first, again)
	}
	if other := pageOf(t, long+"2", file); other == first {
		t.Errorf("two tests share %s", first)
	}
	t.Chdir(t.TempDir())
	if other := pageOf(t, long+"1", file); other == first {
		t.Errorf("the tests of two packages share %s", first)
	}
}

// If the page cannot be written, the reason for the failure is still reported.
func TestFailureWithoutAPage(t *testing.T) {
	file := pinned(t)
	rewrite(t, file, func(trace string) string { return strings.Replace(trace, `"due":9`, `"due":8`, 1) })
	t.Setenv("TMPDIR", filepath.Join(file, "no", "folder"))
	got := failureOf(func(tb testing.TB) { Golden(tb, []byte(goldenScenario), file) })
	if !strings.Contains(got, "the first event that differs is on line 2") || !strings.Contains(got, "can't be shown as a page") {
		t.Error(got)
	}
}
