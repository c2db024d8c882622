package cli_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// Messages use the program's own words, not those of the packages that parse flags and JSON, and
// no Go notation of lists.
func TestMessagesInPlainWords(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(clitest.Tiny))
	z.Close()
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	for _, c := range []struct{ args, in, want string }{
		{"run --nope", "", "--nope is not a flag of run (wheelscope run --help lists the flags)"},
		{"run --outptu x", "", "--outptu is not a flag of run; did you mean --output? "},
		{"run - -x", "", "-x is not a flag of run "},
		{"run - -o", "", "-o needs a value "},
		{"serve --addr", "", "--addr needs a value "},
		{"run - --json=maybe", "", `--json: "maybe" is not true or false`},
		{"import - --map at", "", `--map: "at" is not a list such as at=process_at,id=name`},
		{"compare - --json --format csv", "", "--format and --json: only one of them can be given"},
		{"export - --as svg --at 1 --seq 2", "", "--at and --seq: only one of them can be given"},
		{"completion bash x", "", `bash takes no arguments, "x" given`},
		{"run a b", "", "run needs one SCENARIO, 2 given"},
		{"check -", "{\n\"lanes\": [1,],\n}", "standard input: line 2: not JSON at column 13: "},
		{"check -", packed.String(), "standard input: the file is packed by gzip; expected a scenario as JSON text"},
		{"export - --as csv --as-recorded", trace, "--as-recorded: only for the format html, not for csv"},
		{"verify -", clitest.Tiny, "this is a scenario, not a trace"},
	} {
		r := clitest.Run(t, c.in, strings.Fields(c.args)...)
		if r.Code != 2 || r.Out != "" || strings.Count(r.Err, "\n") != 1 || !strings.Contains(r.Err, c.want) {
			t.Errorf("%s: %+v, want %q", c.args, r, c.want)
		}
	}
}
