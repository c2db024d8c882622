package simtest

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
)

// A recording that differs from its file is reported by the first call that does.
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
	for want, rec := range map[string]func(testing.TB) *Recorder{
		"call 1, timer t1 at tick 0: delay 100 in the file, 120 now":                                func(tb testing.TB) *Recorder { return record(tb, 120*time.Millisecond, 2) },
		"call 4 differs: cancel t3 at tick 0 in the file, schedule t4 at tick 0 with delay 100 now": func(tb testing.TB) *Recorder { return record(tb, 100*time.Millisecond, 3) },
	} {
		got := failureOf(func(tb testing.TB) { rec(tb).Golden(file) })
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
