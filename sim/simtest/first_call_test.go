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
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim/program"
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
	var score struct{ Open int }
	if err := json.Unmarshal(block("score"), &score); err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(block("trace")), "\n")[score.Open]
}

// A ticker is a repeating timer. One that is not stopped ends the scenario now.
func TestRecordTickers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mock := clock.NewMock()
		rec := Record(t, mock, time.Millisecond)
		a, b := rec.NewTicker(2500*time.Microsecond), rec.Named("poll").NewTicker(10*time.Millisecond)
		after := rec.After(4 * time.Millisecond)
		mock.Add(5 * time.Millisecond)
		<-a.C
		<-after
		a.Reset(4 * time.Millisecond)
		if at := rec.Now().Sub(time.Unix(0, 0)); at != 5*time.Millisecond {
			t.Errorf("the clock is at %s", at)
		}
		mock.Add(5 * time.Millisecond)
		<-b.C
		a.Stop()
		var s struct {
			Until    *int64
			Workload struct{ Ops []operation }
		}
		scenario := rec.Scenario()
		if err := json.Unmarshal(scenario, &s); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, op := range s.Workload.Ops {
			got = append(got, op.String())
		}
		want := []string{"schedule t1 at tick 0 with delay 3 every 3", "schedule poll1 at tick 0 with delay 10 every 10",
			"schedule t2 at tick 0 with delay 4", "reset t1 at tick 5 with delay 4 every 4", "cancel t1 at tick 10"}
		if !slices.Equal(got, want) || s.Until == nil || *s.Until != 10 {
			t.Errorf("until %v, operations\n%s\nwant\n%s", s.Until, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if _, err := program.Load(scenario); err != nil {
			t.Error(err)
		}
		b.Stop()
		rec.AfterFunc(20*time.Millisecond, func() {})
		if err := json.Unmarshal(rec.Scenario(), &s); err != nil || *s.Until != 30 {
			t.Errorf("with all tickers stopped until is %d, want 30; %v", *s.Until, err)
		}
		if _, err := program.Load(rec.Scenario()); err != nil {
			t.Error(err)
		}
	})
}
