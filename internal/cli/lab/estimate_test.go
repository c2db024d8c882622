package lab_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/sim/program"
)

func TestRunEstimate(t *testing.T) {
	r := clitest.Run(t, clitest.Tiny, "run", "--estimate", "-")
	p, err := program.Load([]byte(clitest.Tiny))
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("at most %d events, %d of one lane", p.Estimate().Events, p.Estimate().TickEvents)
	if r.Code != 0 || r.Err != "" || !strings.Contains(r.Out, want) || !strings.HasPrefix(r.Out, "at most "+program.FormatBytes(p.Estimate().Bytes)) || strings.Contains(r.Out, "wheelscope") {
		t.Errorf("%+v, want %s", r, want)
	}
}

// A stall during which slots are visited endlessly is refused by every command that reads a
// scenario, or a trace with one in its header.
func TestEndlessStallIsRefused(t *testing.T) {
	const scenario = `{"wheelscope":1,"until":4611686018427380000,"lanes":[{"algorithm":"rounds"}],"workload":{"ops":[` +
		`{"at":0,"op":"schedule","timer":"a","delay":4000000000000000000},{"at":1,"op":"stall","for":3000000000000000000}]}}`
	file := clitest.WriteFile(t, "stall.json", scenario)
	trace := clitest.WriteFile(t, "stall.jsonl", `{"wheelscope":1,"kind":"trace","scenario":`+scenario+"}\n")
	for _, args := range [][]string{{"run", file}, {"compare", file}, {"import", file}, {"import", trace}, {"verify", trace}, {"export", "--as", "html", trace}, {"compare", trace}} {
		r := clitest.Run(t, "", args...)
		if r.Code == 0 || !strings.Contains(r.Err, "in one tick; expected at most 16777216") || strings.Count(r.Err, "\n") > 1 {
			t.Errorf("%s: exit %d, %q %q", args[0], r.Code, r.Out, r.Err)
		}
	}
}
