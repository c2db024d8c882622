//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package lab_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// A differing header of megabytes is not printed in full, neither by verify nor by import.
func TestLongHeadersAreCut(t *testing.T) {
	var ops []string
	for i := range 20000 {
		ops = append(ops, fmt.Sprintf(`{"at":%d,"op":"schedule","timer":"t%d","delay":5}`, i, i))
	}
	trace := clitest.Run(t, `{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[`+strings.Join(ops, ",")+`]}}`, "run", "-").Out
	altered := clitest.WriteFile(t, "long.jsonl", strings.Replace(trace, `"timer":"t15000"`, `"timer": "t15000"`, 1))
	for _, args := range [][]string{{"verify", altered}, {"import", altered}, {"compare", altered}} {
		r := clitest.Run(t, "", args...)
		if n := len(r.Out) + len(r.Err); r.Code == 0 || n > 1500 || !strings.Contains(r.Out+r.Err, "the header is written differently from byte ") {
			t.Errorf("%s: exit %d, %d bytes: %.300s%.300s", args[0], r.Code, n, r.Out, r.Err)
		}
	}
}
