package lab_test

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// The flags of a workload reach the importer; invalid ones are refused in one line.
func TestImportFlags(t *testing.T) {
	const jobs = "queue,process_at,timer,delay\nq,2026-01-02T15:04:05Z,a,25ms\nq,bad,b,1\n"
	r := clitest.Run(t, jobs, "import", "-", "--map", "at=process_at,timer=timer", "--tick", "10ms", "--skip-bad", "1")
	if r.Code != 0 || !strings.Contains(r.Out, `"tick":"10ms"`) || !strings.Contains(r.Out, `{"at":0,"op":"schedule","timer":"a","delay":3}`) || !strings.Contains(r.Err, "since they are invalid: 1") {
		t.Errorf("%+v", r)
	}
	for flag, want := range map[string]string{
		"--tick=0":        `--tick: "0" is not a duration`,
		"--at=weeks":      `--at: "weeks" is not one of ticks, s, ms, us, ns`,
		"--skip-bad=-1":   "--skip-bad: -1 is not 0 or more",
		"--hz=1000000":    "--hz: 1000000 is not between 1 and 100000",
		"--map=when=then": `--map: "when" is not a field of a workload`,
	} {
		if r := clitest.Run(t, jobs, "import", "-", flag); r.Code != 2 || !strings.Contains(r.Err, want) || strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%s: %+v", flag, r)
		}
	}
}
