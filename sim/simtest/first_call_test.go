//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package simtest

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
)

// A recording that differs from its file is reported by the first call that differs.
func TestFirstCallThatDiffers(t *testing.T) {
	record := func(tb testing.TB, delay time.Duration, calls int) *Recorder {
		rec := Record(tb, clock.NewMock(), time.Millisecond)
		for range calls {
			rec.AfterFunc(delay, func() {})
			delay = 100 * time.Millisecond
		}
		rec.AfterFunc(delay, func() {}).Stop()
		return rec
	}
	file := filepath.Join(t.TempDir(), "calls.jsonl")
	t.Setenv("TMPDIR", t.TempDir())
	update(t, func() { record(t, 100*time.Millisecond, 2).Golden(file) })
	opens := map[string]string{"call 1, ": `"kind":"schedule","id":1,"timer":"t1"`, "call 4 d": `"kind":"schedule","id":4,"timer":"t4"`}
	for want, rec := range map[string]func(testing.TB) *Recorder{
		"call 1, timer t1 at tick 0: delay 100 in the file, 120 now":                                func(tb testing.TB) *Recorder { return record(tb, 120*time.Millisecond, 2) },
		"call 4 differs: cancel t3 at tick 0 in the file, schedule t4 at tick 0 with delay 100 now": func(tb testing.TB) *Recorder { return record(tb, 100*time.Millisecond, 3) },
	} {
		got := failureOf(func(tb testing.TB) { rec(tb).Golden(file) })
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
		_, page, _ := strings.Cut(got, "open ")
		if line := openedAt(t, strings.TrimSpace(page)); !strings.Contains(line, opens[want[:8]]) {
			t.Errorf("%s: the page opens at %s, want %s", want, line, opens[want[:8]])
		}
	}
}

// openedAt returns the line of the trace at which a page opens.
func openedAt(t *testing.T, page string) string {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	block := func(id string) []byte {
		_, text, _ := strings.Cut(string(data), `<script id="`+id+`" type="`)
		_, text, _ = strings.Cut(text, `">`)
		text, _, _ = strings.Cut(text, "<")
		z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return unpacked
	}
	var run struct{ Open int }
	if err := json.Unmarshal(block("run"), &run); err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(block("trace")), "\n")[run.Open]
}
