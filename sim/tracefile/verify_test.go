package tracefile

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"go.uber.org/goleak"
)

// verifyTrace verifies bytes and returns the kind of result: "identical", "differs at 7" or
// "broken at 7".
func verifyTrace(trace []byte) (kind string, err error) {
	_, err = Verify(context.Background(), bytes.NewReader(trace), Options{})
	var diff *Diff
	var broken *LineError
	switch {
	case err == nil:
		return "identical", nil
	case errors.As(err, &diff):
		return fmt.Sprintf("differs at %d", diff.Line), err
	case errors.As(err, &broken):
		return fmt.Sprintf("broken at %d", broken.Line), err
	}
	return "error", err
}

// smallTrace is a trace with a few kinds of lines: a repeat, a cancel, a rejection.
func smallTrace(t testing.TB) []byte {
	t.Helper()
	return traceOf(t, plantest.Load(t, `{"wheelscope":1,"name":"small","until":9,"lanes":[{"algorithm":"rounds","slots":3},{"id":"w","algorithm":"simple","slots":4}],
		"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":2,"every":3,"times":2},{"at":1,"op":"schedule","timer":"b","delay":5},{"at":4,"op":"cancel","timer":"b"}]}}`), Options{})
}

// resealed adds a matching end line to a trace that is given as lines.
func resealed(lines []string, events int) string {
	body := strings.Join(lines[:len(lines)-1], "")
	end := lines[len(lines)-1]
	end = end[:strings.Index(end, `"events":`)] + fmt.Sprintf(`"events":%d`, events) + end[strings.Index(end, `,"pending"`):]
	return body + end[:strings.Index(end, `"sha256":"`)] + fmt.Sprintf(`"sha256":"%x"}`, sha256.Sum256([]byte(body))) + "\n"
}

func traceLines(trace []byte) []string {
	lines := strings.SplitAfter(string(trace), "\n")
	return lines[:len(lines)-1]
}

// renumbered numbers the lines' seq from 1 again.
func renumbered(lines []string) []string {
	out := append([]string{}, lines...)
	for i := 1; i < len(out)-1; i++ {
		out[i] = fmt.Sprintf(`{"seq":%d%s`, i, out[i][strings.Index(out[i], `,"tick"`):])
	}
	return out
}

// flipDigest changes a digit of an end line's digest.
func flipDigest(end string) string {
	at := strings.Index(end, `"sha256":"`) + len(`"sha256":"`)
	digit := "0"
	if end[at] == '0' {
		digit = "1"
	}
	return end[:at] + digit + end[at+1:]
}

func TestVerifyReportsBothSides(t *testing.T) {
	lines := traceLines(smallTrace(t))
	altered := strings.Replace(lines[2], `"slot":`, `"slot":1`, 1)
	_, err := verifyTrace([]byte(lines[0] + lines[1] + altered + strings.Join(lines[3:], "")))
	var diff *Diff
	if !errors.As(err, &diff) || diff.Line != 3 || diff.Got+"\n" != altered || diff.Want+"\n" != lines[2] {
		t.Errorf("got %+v, want both sides of line 3", diff)
	}
}

// pack compresses data with gzip.
func pack(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

func TestVerifyPacked(t *testing.T) {
	trace := smallTrace(t)
	packed := pack(trace)
	if kind, err := verifyTrace(packed); kind != "identical" {
		t.Errorf("a packed trace: %s (%v)", kind, err)
	}
	for n := 0; n < len(packed); n += 3 {
		kind, err := verifyTrace(packed[:n])
		if !strings.HasPrefix(kind, "broken") || n > 2 && !strings.Contains(err.Error(), errPackCut.Error()) {
			t.Errorf("cut after %d packed bytes: %s (%v)", n, kind, err)
		}
	}
	checksum := bytes.Clone(packed)
	checksum[len(checksum)-6] ^= 1
	if kind, err := verifyTrace(checksum); !strings.HasPrefix(kind, "broken") || !strings.Contains(err.Error(), "the packed file is damaged") {
		t.Errorf("a wrong checksum: %s (%v)", kind, err)
	}
	bomb := pack(append(bytes.Clone([]byte(traceLines(trace)[0])), make([]byte, 8<<20)...))
	if kind, err := verifyTrace(bomb); kind != "broken at 2" {
		t.Errorf("%d bytes that unpack to 8 MiB: %s (%v)", len(bomb), kind, err)
	}
}

func TestUnpackedIsBounded(t *testing.T) {
	u := &unpacked{r: strings.NewReader(strings.Repeat("x", 100)), left: 60}
	data, err := io.ReadAll(u)
	if len(data) != 60 || !errors.Is(err, errUnpacked) {
		t.Errorf("%d bytes and %v, want 60 and %v", len(data), err, errUnpacked)
	}
}

// The sizes of reads do not matter, and an error of the reader is returned.
func TestVerifyReaders(t *testing.T) {
	defer goleak.VerifyNone(t)
	trace := smallTrace(t)
	if _, err := Verify(context.Background(), iotest.OneByteReader(bytes.NewReader(trace)), Options{}); err != nil {
		t.Errorf("byte by byte: %v", err)
	}
	for _, n := range []int{0, 10, 700, len(trace) - 1, len(trace)} {
		r := io.MultiReader(bytes.NewReader(trace[:n]), iotest.ErrReader(os.ErrClosed))
		_, err := Verify(context.Background(), r, Options{})
		if err == nil || !strings.Contains(err.Error(), os.ErrClosed.Error()) {
			t.Errorf("a reader that fails after %d bytes: %v", n, err)
		}
	}
}

func TestVerifyProgramWithAnotherScenario(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":2}]}}`)
	_, err := VerifyProgram(context.Background(), p, bytes.NewReader(smallTrace(t)), Options{})
	var diff *Diff
	if !errors.As(err, &diff) || diff.Line != 1 {
		t.Errorf("got %v, want a difference in line 1", err)
	}
	if _, err := VerifyProgram(context.Background(), p, bytes.NewReader(traceOf(t, p, Options{})), Options{}); err != nil {
		t.Errorf("its own trace: %v", err)
	}
}

// TestJudgingEndsWithItsContext checks that verifying the rest of a trace ends with its context.
func TestJudgingEndsWithItsContext(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"until":40,"lanes":[{"id":"w","algorithm":"simple","slots":32}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"x","delay":5}]}}`)
	ctx, cancel := context.WithCancel(context.Background())
	lines := &endlessLines{after: 10 * engine.PauseTicks, then: cancel}
	lines.next = appendHeader(nil, p)
	if _, err := Verify(ctx, lines, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// endlessLines is a trace that calls then at line after, and fails at ten times as many
// lines.
type endlessLines struct {
	next  []byte
	seq   int64
	after int64
	then  func()
}

func (e *endlessLines) Read(p []byte) (int, error) {
	for len(e.next) < len(p) {
		if e.seq++; e.seq == e.after {
			e.then()
		}
		if e.seq > 10*e.after {
			return 0, errors.New("read on and on")
		}
		e.next = fmt.Appendf(e.next, `{"seq":%d,"tick":0,"lane":"w","kind":"miss","op":"cancel","timer":"x"}`+"\n", e.seq)
	}
	n := copy(p, e.next)
	e.next = e.next[n:]
	return n, nil
}
