package lab_test

import (
	"fmt"
	"path/filepath"
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
	want := fmt.Sprintf("at least %d events", p.Estimate().Events)
	if r.Code != 0 || r.Err != "" || !strings.Contains(r.Out, want) || !strings.HasPrefix(r.Out, "at most "+program.FormatBytes(p.Estimate().Bytes)) || strings.Contains(r.Out, "wheelscope") {
		t.Errorf("%+v, want %s", r, want)
	}
}

// Every command that runs lanes ends in one line in the tick after a stall during which slots are visited endlessly.
func TestEndlessStallEnds(t *testing.T) {
	const scenario = `{"wheelscope":1,"until":4611686018427380000,"lanes":[{"algorithm":"rounds"}],"workload":{"ops":[` +
		`{"at":0,"op":"schedule","timer":"a","delay":4000000000000000000},{"at":1,"op":"stall","for":3000000000000000000}]}}`
	file := clitest.WriteFile(t, "stall.json", scenario)
	html := filepath.Join(t.TempDir(), "stall.html")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"compare", file}, `the lane "rounds" has more than 5000000 visits of slots in tick 3000000000000000001`},
		{[]string{"export", "--as", "perfetto", file, "-o", html}, `the lane "rounds" has more than 5000000 visits of slots in tick 3000000000000000001`},
		{[]string{"export", "--as", "html", file, "-o", html}, "tick 3000000000000000001 has more than 5000000 events"},
	} {
		r := clitest.Run(t, "", c.args...)
		if r.Code == 0 || !strings.Contains(r.Err, c.want) || strings.Count(r.Err, "\n") > 1 {
			t.Errorf("%s: exit %d, %q %q", c.args[0], r.Code, r.Out, r.Err)
		}
	}
}
