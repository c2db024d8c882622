//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
)

// A differing header of megabytes is not printed in full, neither by verify nor by import.
func TestLongHeadersAreCut(t *testing.T) {
	var ops []string
	for i := range 20000 {
		ops = append(ops, fmt.Sprintf(`{"at":%d,"op":"schedule","timer":"t%d","delay":5}`, i, i))
	}
	trace := runProgram(t, `{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[`+strings.Join(ops, ",")+`]}}`, "run", "-").out
	altered := write(t, "long.jsonl", strings.Replace(trace, `"timer":"t15000"`, `"timer": "t15000"`, 1))
	for _, args := range [][]string{{"verify", altered}, {"import", altered}, {"compare", altered}} {
		r := runProgram(t, "", args...)
		if n := len(r.out) + len(r.err); r.code == 0 || n > 1500 || !strings.Contains(r.out+r.err, "the header is written differently from byte ") {
			t.Errorf("%s: exit %d, %d bytes: %.300s%.300s", args[0], r.code, n, r.out, r.err)
		}
	}
}

// The output of fmt has the same meaning, is stable, and has no long lines that could be split.
func TestFmtKeepsMeaning(t *testing.T) {
	for _, b := range sim.Builtins() {
		out, err := layOut(b.Data)
		if err != nil {
			t.Fatalf("%s: %v", b.Name, err)
		}
		before, _ := sim.Load(b.Data)
		after, err := sim.Load(out)
		if err != nil || before.Digest() != after.Digest() {
			t.Errorf("%s: changed: %v", b.Name, err)
		}
		if again, _ := layOut(out); string(again) != string(out) {
			t.Errorf("%s: laid out again it is another", b.Name)
		}
		for line := range strings.Lines(string(out)) {
			if len([]rune(line)) > fmtWidth+1 && strings.HasSuffix(strings.TrimRight(line, ",\n"), "}") {
				t.Errorf("%s: a line of %d characters: %s", b.Name, len([]rune(line)), line)
			}
		}
	}
}
