//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package lab

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
)

// The output of fmt has the same meaning, is stable, and has no long lines that could be split.
func TestFmtKeepsMeaning(t *testing.T) {
	for _, b := range library.Builtins() {
		out, err := layOut(b.Data)
		if err != nil {
			t.Fatalf("%s: %v", b.Name, err)
		}
		before, _ := program.Load(b.Data)
		after, err := program.Load(out)
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
