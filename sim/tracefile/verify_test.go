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
	"github.com/wheelscope/wheelscope/sim/scenario"
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

func TestVerifyPrecedence(t *testing.T) {
	trace := smallTrace(t)
	lines := traceLines(trace)
	last := len(lines) // number of the end line
	change := func(at int, old, new string) []string {
		out := append([]string{}, lines...)
		out[at-1] = strings.Replace(out[at-1], old, new, 1)
		if out[at-1] == lines[at-1] {
			t.Fatalf("line %d holds no %s: %s", at, old, out[at-1])
		}
		return out
	}
	join := func(lines []string) string { return strings.Join(lines, "") }
	drop := func(at int) []string { return append(append([]string{}, lines[:at-1]...), lines[at:]...) }
	twice := func(at int) []string { return append(append([]string{}, lines[:at]...), lines[at-1:]...) }
	swap := append([]string{}, lines...)
	swap[2], swap[3] = swap[3], swap[2]
	bothWrong := change(3, `"slot":`, `"slot":1`)
	bothWrong[5] = strings.Replace(bothWrong[5], `"kind"`, `"Kind"`, 1)

	for _, c := range []struct{ name, trace, want, says string }{
		{"its own", string(trace), "identical", ""},
		{"nothing", "", "broken at 1", "the file is empty; expected a trace"},
		{"no end line", join(lines[:last-1]), fmt.Sprint("broken at ", last), "without an end line"},
		{"header only", lines[0], "broken at 2", "without an end line"},
		{"last newline cut", string(trace[:len(trace)-1]), fmt.Sprint("broken at ", last), "does not end in a newline"},
		{"a line after the end", string(trace) + lines[1], fmt.Sprint("broken at ", last+1), "more data follows the end line"},
		{"bytes after the end", string(trace) + "x", fmt.Sprint("broken at ", last+1), "more data follows the end line"},
		{"two end lines", join(twice(last)), fmt.Sprint("broken at ", last+1), "more data follows the end line"},
		{"a value", join(change(3, `"slot":`, `"slot":1`)), "differs at 3", ""},
		{"a value, sealed again", resealed(change(3, `"slot":`, `"slot":1`), last-2), "differs at 3", ""},
		{"a value, and a later line broken", join(bothWrong), "broken at 6", `expected ,"kind":`},
		{"a value, and the events' number", resealed(change(3, `"slot":`, `"slot":1`), 3), fmt.Sprint("broken at ", last), "events is 3"},
		{"a field more", join(change(3, `"due":`, `"extra":1,"due":`)), "broken at 3", `expected ,"due":`},
		{"an unknown kind", join(change(3, `"place"`, `"jump"`)), "broken at 3", "version 1 does not have"},
		{"a line left out", join(drop(3)), "broken at 3", "seq is 3, expected 2"},
		{"a line left out, renumbered and sealed", resealed(renumbered(drop(3)), last-3), "differs at 3", ""},
		{"the last event left out, sealed", resealed(drop(last-1), last-3), fmt.Sprint("differs at ", last-1), ""},
		{"a line twice", join(twice(3)), "broken at 4", "seq is 2, expected 3"},
		{"an event more, sealed", resealed(renumbered(twice(last-1)), last-1), fmt.Sprint("differs at ", last), ""},
		{"lines swapped", join(swap), "broken at 3", "seq is 3, expected 2"},
		{"a tick going back", join(change(last-1, `"tick":`, `"tick":-`)), fmt.Sprint("broken at ", last-1), "0 or more"},
		{"a tick ahead of the next", join(change(3, `"tick":0`, `"tick":8`)), "broken at 4", "tick is 0, after 8"},
		{"digest", join(change(last, `"sha256":"`, `"sha256":"0`)), fmt.Sprint("broken at ", last), "64 hexadecimal digits"},
		{"another digest", join(append(lines[:last-1:last-1], flipDigest(lines[last-1]))), fmt.Sprint("broken at ", last), "the digest is wrong: sha256 is "},
		{"pending", join(change(last, `"w":`, `"w":1`)), fmt.Sprint("broken at ", last), "the end line is wrong: pending.w is 10, expected 0"},
		{"pending without a lane", join(change(last, `,"w":0`, ``)), fmt.Sprint("broken at ", last), `expected ,"w":`},
		{"the end's tick", join(change(last, `"tick":9`, `"tick":10`)), fmt.Sprint("broken at ", last), "the end line is wrong: tick is 10, expected 9"},
		{"a future version", join(change(1, `{"wheelscope":1`, `{"wheelscope":2`)), "broken at 1", "the trace is of version 2, expected 1"},
		{"another kind of file", join(change(1, `"kind":"trace"`, `"kind":"story"`)), "broken at 1", `expected ,"kind":"trace"`},
		{"a scenario that is none", join(change(1, `"slots":3`, `"slots":0`)), "broken at 1", "scenario: lanes[0].slots: 0 is not"},
		{"another scenario", join(change(1, `"slots":3`, `"slots":2`)), "differs at 3", ""},
		{"a header with a default left out", join(change(1, `"name":"small",`, `"name":"small", `)), "differs at 1", ""},
		{"a header cut short", strings.TrimSuffix(lines[0], "}\n") + "\n", "broken at 1", "scenario: "},
		{"not a trace", "GIF89a\n", "broken at 1", `expected {"wheelscope":`},
		{"carriage returns", strings.ReplaceAll(string(trace), "\n", "\r\n"), "broken at 1", "a carriage return and a newline, expected a newline alone"},
		{"an empty line", lines[0] + "\n" + join(lines[1:]), "broken at 2", "found the line's end"},
		{"a line of 1 MB", lines[0] + strings.Repeat("x", 1<<20) + "\n", "broken at 2", "longer than 65536 bytes"},
		{"an endless line", lines[0] + strings.Repeat(" ", 1<<22), "broken at 2", "longer than 65536 bytes"},
		{"an endless header", strings.Repeat(" ", scenario.BytesMax+1<<20), "broken at 1", "longer than"},
	} {
		kind, err := verifyTrace([]byte(c.trace))
		if kind != c.want || c.says != "" && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %s (%v), want %s saying %q", c.name, kind, err, c.want, c.says)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error has more than one line: %v", c.name, err)
		}
	}
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

// A difference is found wherever the blocks of the run end.
func TestVerifyFindsLinesInLongTraces(t *testing.T) {
	trace := traceOf(t, plantest.Load(t, plantest.ManyTimers), Options{})
	lines := traceLines(trace)
	if len(trace) < 4*BlockBytes {
		t.Fatalf("the trace has %d bytes only", len(trace))
	}
	for at := 2; at < len(lines); at += len(lines) / 11 {
		altered := append([]string{}, lines...)
		altered[at-1] = strings.Replace(altered[at-1], `,"kind"`, ` ,"kind"`, 1)
		if kind, err := verifyTrace([]byte(strings.Join(altered, ""))); kind != fmt.Sprint("broken at ", at) {
			t.Errorf("a space in line %d: %s (%v)", at, kind, err)
		}
		altered[at-1] = strings.Replace(lines[at-1], `"tick":`, `"tick":1`, 1)
		kind, err := verifyTrace([]byte(strings.Join(altered, "")))
		if kind != fmt.Sprint("broken at ", at+1) && kind != fmt.Sprint("differs at ", at) {
			t.Errorf("another tick in line %d: %s (%v)", at, kind, err)
		}
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
		if !strings.HasPrefix(kind, "broken") || n > 2 && !strings.Contains(err.Error(), ErrPackCut.Error()) {
			t.Errorf("cut after %d packed bytes: %s (%v)", n, kind, err)
		}
	}
	checksum := bytes.Clone(packed)
	checksum[len(checksum)-6] ^= 1
	if kind, err := verifyTrace(checksum); !strings.HasPrefix(kind, "broken") || !strings.Contains(err.Error(), ErrPackDamaged.Error()) {
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
