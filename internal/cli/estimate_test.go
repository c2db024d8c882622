package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
)

func TestRunEstimate(t *testing.T) {
	r := runProgram(t, tinyScenario, "run", "--estimate", "-")
	p, err := sim.Load([]byte(tinyScenario))
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("at most %d events, %d of one lane", p.Estimate().Events, p.Estimate().TickEvents)
	if r.code != 0 || r.err != "" || !strings.Contains(r.out, want) || !strings.HasPrefix(r.out, "at most "+sim.FormatBytes(p.Estimate().Bytes)) || strings.Contains(r.out, "wheelscope") {
		t.Errorf("%+v, want %s", r, want)
	}
}

func TestRunHelpDocumentsTheCost(t *testing.T) {
	r := runProgram(t, "", "run", "--help")
	for _, want := range []string{"--estimate", "timers x 8", fmt.Sprint(sim.TickEventsMax), fmt.Sprint(sim.TickVisitsMax), fmt.Sprint(int64(sim.TickWorkMax))} {
		if r.code != 0 || !strings.Contains(r.out, want) {
			t.Errorf("the help does not have %q: %s", want, r.out)
		}
	}
}

// A stall during which slots are visited endlessly is refused by every command that reads a
// scenario, or a trace with one in its header.
func TestEndlessStallIsRefused(t *testing.T) {
	const scenario = `{"wheelscope":1,"until":4611686018427380000,"lanes":[{"algorithm":"rounds"}],"workload":{"ops":[` +
		`{"at":0,"op":"schedule","timer":"a","delay":4000000000000000000},{"at":1,"op":"stall","for":3000000000000000000}]}}`
	file := write(t, "stall.json", scenario)
	trace := write(t, "stall.jsonl", `{"wheelscope":1,"kind":"trace","scenario":`+scenario+"}\n")
	for _, args := range [][]string{{"run", file}, {"compare", file}, {"import", file}, {"import", trace}, {"verify", trace}, {"export", "--as", "html", trace}, {"compare", trace}} {
		r := runProgram(t, "", args...)
		if r.code == 0 || !strings.Contains(r.err, "in one tick; expected at most 16777216") || strings.Count(r.err, "\n") > 1 {
			t.Errorf("%s: exit %d, %q %q", args[0], r.code, r.out, r.err)
		}
	}
}
