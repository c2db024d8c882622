package cli_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/internal/cli/console"
)

// With --json every line of standard output is an object with the fields of a result, and there is
// no other output.
func TestJSONResults(t *testing.T) {
	m := miniredis.RunT(t)
	t.Setenv(console.RedisEnv, m.Addr())
	dir := t.TempDir()
	trace := filepath.Join(dir, "t.jsonl")
	lines := clitest.WriteFile(t, "tasks.jsonl", `{"key":"k2","url":"https://example.org/x","in":"1h"}`+"\n")
	for _, c := range []struct{ args, fields string }{
		{"version", "version commit go os arch"},
		{"run - --estimate", "bytes events"},
		{"run - -o " + trace, "output events tick bytes sha256"},
		{"verify " + trace, "file result events tick"},
		{"import " + trace + " -o " + filepath.Join(dir, "s.json"), "file kind events notes output"},
		{"export " + trace + " -o " + filepath.Join(dir, "x.csv"), "output format"},
		{"check -", "file valid lanes timers operations until"},
		{"fmt -", "file changed"},
		{"task add k https://example.org/x --in 1h", "key added due"},
		{"task add k https://example.org/x --if-absent", "key added"},
		{"task add --file " + lines, "added present"},
		{"task remove k", "key result"},
		{"task remove --match k*", "tasks result"},
		{"wheel create w", "wheel shards"},
		{"wheel pause w --wait 0s", "wheel paused in_flight"},
		{"wheel resume w", "wheel paused"},
	} {
		r := clitest.Run(t, clitest.Tiny, append(strings.Fields(c.args), "--json")...)
		var got map[string]any
		if err := json.Unmarshal([]byte(r.Out), &got); err != nil || r.Code != 0 || r.Err != "" || strings.Count(r.Out, "\n") != 1 {
			t.Errorf("%s: %v, %+v", c.args, err, r)
		}
		for _, name := range strings.Fields(c.fields) {
			if _, ok := got[name]; !ok {
				t.Errorf("%s: no field %s in %s", c.args, name, r.Out)
			}
		}
	}
	for _, args := range []string{"run -", "import " + trace, "export - --as csv"} {
		if r := clitest.Run(t, clitest.Tiny, append(strings.Fields(args), "--json")...); r.Code != 2 || r.Out != "" || !strings.Contains(r.Err, "--json needs -o") {
			t.Errorf("%s: %+v", args, r)
		}
	}
}
