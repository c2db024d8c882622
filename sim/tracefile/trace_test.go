package tracefile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"go.uber.org/goleak"
)

// traceOf returns the complete trace of a program.
func traceOf(t testing.TB, p *program.Program, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	s, err := Write(context.Background(), &b, p, o)
	if err != nil {
		t.Fatalf("Write: %v", err)
	}
	if s.Bytes != int64(b.Len()) {
		t.Errorf("the summary has %d bytes, written were %d", s.Bytes, b.Len())
	}
	return b.Bytes()
}

func TestTraceByJumpsAndTickByTick(t *testing.T) {
	programs := plantest.Golden(t)
	programs["many"] = plantest.Load(t, plantest.ManyTimers)
	for name, p := range programs {
		jumps, ticks := traceOf(t, p, Options{}), traceOf(t, p, Options{EveryTick: true})
		if !bytes.Equal(jumps, ticks) {
			t.Errorf("%s: %s", name, firstDifference(jumps, ticks))
		}
	}
}

func TestTraceTwiceAndOnAnyNumberOfCores(t *testing.T) {
	p := plantest.Load(t, plantest.ManyTimers)
	want := traceOf(t, p, Options{})
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, n := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(n)
		if got := traceOf(t, p, Options{}); !bytes.Equal(got, want) {
			t.Errorf("GOMAXPROCS %d: %s", n, firstDifference(got, want))
		}
	}
}

// firstDifference describes the first line in which two traces differ.
func firstDifference(a, b []byte) string {
	la, lb := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(la), len(lb)) {
		if !bytes.Equal(la[i], lb[i]) {
			return fmt.Sprintf("line %d\n %s\n %s", i+1, la[i], lb[i])
		}
	}
	return fmt.Sprintf("%d lines and %d", len(la), len(lb))
}

// Export, import and export again are the identity: the scenario in a trace's header gives the
// same trace.
func TestTraceHeaderGivesTheSameTrace(t *testing.T) {
	for name, p := range plantest.Golden(t) {
		first := traceOf(t, p, Options{})
		header, _, _ := bytes.Cut(first, []byte("\n"))
		again, err := readHeader(header, program.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if second := traceOf(t, again, Options{}); !bytes.Equal(first, second) {
			t.Errorf("%s: %s", name, firstDifference(first, second))
		}
	}
}

func TestTraceSummaryAndEndLine(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"until":4,"lanes":[{"algorithm":"heap"},{"id":"\"q\"","algorithm":"simple","slots":3}],
		"workload":{"ops":[{"at":1,"op":"schedule","timer":"a","delay":1},{"at":1,"op":"schedule","timer":"b","delay":9}]}}`)
	var b bytes.Buffer
	s, err := Write(context.Background(), &b, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(b.Bytes(), []byte("\n"))
	body, end := bytes.Join(lines[:len(lines)-2], nil), string(lines[len(lines)-2])
	sum := sha256.Sum256(body)
	want := fmt.Sprintf(`{"kind":"end","tick":4,"events":%d,"pending":{"heap":1,"\"q\"":0},"sha256":"%x"}`+"\n", len(lines)-3, sum)
	if end != want {
		t.Errorf("end line\n %s want\n %s", end, want)
	}
	if s.Events != int64(len(lines)-3) || s.Tick != 4 || s.SHA256 != hex.EncodeToString(sum[:]) || len(s.Pending) != 2 || s.Pending[0] != 1 {
		t.Errorf("summary %+v", s)
	}
}

// failingWriter accepts some bytes and then fails.
type failingWriter struct{ left int }

var errFull = errors.New("no space left")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestTraceWriterFails(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := plantest.Load(t, plantest.ManyTimers)
	size := len(traceOf(t, p, Options{}))
	for _, left := range []int{0, 1, size / 2, size - 1} {
		if _, err := Write(context.Background(), &failingWriter{left}, p, Options{}); !errors.Is(err, errFull) {
			t.Errorf("after %d bytes: error %v, want %v", left, err, errFull)
		}
	}
	if _, err := Write(context.Background(), &failingWriter{size}, p, Options{}); err != nil {
		t.Errorf("with room for all: %v", err)
	}
}

func TestTraceIsCancelled(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := plantest.Load(t, plantest.ManyTimers)
	ctx, cancel := context.WithCancel(context.Background())
	ticks := 0
	o := Options{Progress: func(int64) { ticks++; cancel() }}
	if _, err := Write(ctx, &bytes.Buffer{}, p, o); !errors.Is(err, context.Canceled) || ticks != 1 {
		t.Errorf("error %v after progress was reported %d times, want %v after 1", err, ticks, context.Canceled)
	}
}

// TestDrivenLanesTraceAlike checks that jumps and single ticks write the same trace.
func TestDrivenLanesTraceAlike(t *testing.T) {
	p := plantest.Load(t, plantest.Driven)
	var jumping, walking bytes.Buffer
	if _, err := Write(t.Context(), &jumping, p, Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(t.Context(), &walking, p, Options{EveryTick: true}); err != nil {
		t.Fatal(err)
	}
	if jumping.String() != walking.String() {
		t.Error("the two traces differ")
	}
	for _, text := range []string{`"code":"panic"`, `"code":"late"`, `"code":"early"`, `"reason":"fault"`} {
		if !strings.Contains(jumping.String(), text) {
			t.Errorf("no event has %s", text)
		}
	}
}
