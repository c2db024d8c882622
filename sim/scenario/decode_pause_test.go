//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package scenario_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// TestCheckEndsDecoding checks that Check is called during decoding and that its error ends it.
func TestCheckEndsDecoding(t *testing.T) {
	const ops = 5 * scenario.CheckOps
	text := []byte(`{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[` +
		strings.Repeat(`{"at":0,"op":"schedule","timer":"a","delay":1},`, ops-1) + `{"at":0,"op":"schedule","timer":"a","delay":1}]}}`)
	calls := 0
	if _, err := scenario.Decode(text, scenario.DecodeOptions{Check: func() error { calls++; return nil }}); err != nil {
		t.Fatal(err)
	}
	const passes = 4 // over the whole text, its workload, its operations, and each operation
	if calls < passes*(ops/scenario.CheckOps-1) {
		t.Errorf("Check is called %d times", calls)
	}
	stop := errors.New("stop")
	for at := 1; at <= calls; at += testkit.Pick(5, 1) {
		n := 0
		if _, err := scenario.Decode(text, scenario.DecodeOptions{Check: func() error {
			if n++; n == at {
				return stop
			}
			return nil
		}}); err != stop || n != at {
			t.Errorf("call %d: %v after %d calls", at, err, n)
		}
	}
}

// TestDecodingWithCheckIsTheSame checks that a scenario has the same meaning and the same faults
// whether or not its decoding can be interrupted.
func TestDecodingWithCheckIsTheSame(t *testing.T) {
	texts := []string{"", "]", "}", `{"a"}`, `{"a":}`, `[1,]`, `{"a":1,"a":2}`, `{"workload":{"ops":[{"at":1,"at":2}]}}`, `{"wheelscope":1} x`, `{"wheelscope":1,"lanes":[`,
		`{"wheelscope":1,"lanes":[[[[[[1]]]]]],"workload":{"ops":[]}}`, `{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[{"at":true}]}}`, "\ufeff {\n\"wheelscope\": 2 }"}
	for _, b := range library.Builtins() {
		texts = append(texts, string(b.Data), string(b.Data[:len(b.Data)/2]), "\n"+string(b.Data)+"\n ")
	}
	describe := func(p *program.Program, err error) string {
		if err != nil {
			return err.Error()
		}
		return p.Digest()
	}
	for _, text := range texts {
		want := describe(program.LoadWith([]byte(text), program.Options{}))
		if got := describe(program.LoadWith([]byte(text), program.Options{Check: func() error { return nil }})); got != want {
			t.Errorf("%.80q:\n%s, want\n%s", text, got, want)
		}
	}
}
