//go:build !race

// Long tests whose second goroutine shorter tests use under -race, too; see the Makefile.

package tracefile

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

func TestVerifyCutAtEveryByte(t *testing.T) {
	trace := smallTrace(t)
	for n := range trace {
		if kind, err := verifyTrace(trace[:n]); !strings.HasPrefix(kind, "broken") {
			t.Fatalf("cut after %d bytes: %s (%v)", n, kind, err)
		}
	}
}

func TestVerifyEveryByteFlipped(t *testing.T) {
	trace := smallTrace(t)
	for n := range trace {
		for _, bit := range []int{0, 1 + n%7} {
			flipped := bytes.Clone(trace)
			flipped[n] ^= 1 << bit
			if kind, err := verifyTrace(flipped); kind == "identical" || kind == "error" {
				t.Fatalf("bit %d of byte %d flipped: %s (%v)", bit, n, kind, err)
			}
		}
	}
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
