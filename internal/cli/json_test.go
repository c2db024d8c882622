package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/spf13/cobra"
)

// Every command with a result has --json.
func TestEveryCommandHasJSON(t *testing.T) {
	n := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if sub.Name() == "help" || sub.Name() == "completion" {
				continue
			}
			walk(sub)
			if sub.HasSubCommands() {
				continue
			}
			if n++; sub.Flags().Lookup("json") == nil {
				t.Errorf("%s has no --json", sub.CommandPath())
			}
		}
	}
	walk(newRoot(&streams{}))
	if n < 20 {
		t.Errorf("%d commands", n)
	}
}

// With --json every line of standard output is an object with the fields of a result, and there is
// no other output.
func TestJSONResults(t *testing.T) {
	m := miniredis.RunT(t)
	t.Setenv(redisEnv, m.Addr())
	dir := t.TempDir()
	trace := filepath.Join(dir, "t.jsonl")
	lines := write(t, "tasks.jsonl", `{"key":"k2","url":"https://example.org/x","in":"1h"}`+"\n")
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
		{"wheel reshard w --shards 2", "wheel shards moved"},
		{"wheel resume w", "wheel paused"},
	} {
		r := runProgram(t, tinyScenario, append(strings.Fields(c.args), "--json")...)
		var got map[string]any
		if err := json.Unmarshal([]byte(r.out), &got); err != nil || r.code != 0 || r.err != "" || strings.Count(r.out, "\n") != 1 {
			t.Errorf("%s: %v, %+v", c.args, err, r)
		}
		for _, name := range strings.Fields(c.fields) {
			if _, ok := got[name]; !ok {
				t.Errorf("%s: no field %s in %s", c.args, name, r.out)
			}
		}
	}
	for _, args := range []string{"run -", "import " + trace, "export - --as csv"} {
		if r := runProgram(t, tinyScenario, append(strings.Fields(args), "--json")...); r.code != 2 || r.out != "" || !strings.Contains(r.err, "--json: it describes what -o writes") {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

func TestVerifyJSON(t *testing.T) {
	trace := runProgram(t, tinyScenario, "run", "-").out
	for want, c := range map[string]struct {
		trace string
		code  int
	}{
		"identical": {trace, 0},
		"differs":   {strings.Replace(trace, `"slot":2,"due":2`, `"slot":3,"due":2`, 1), 1},
		"broken":    {strings.Replace(trace, `{"seq":3,`, `{"seq":4,`, 1), 2},
	} {
		var got struct{ Result string }
		r := runProgram(t, c.trace, "verify", "-", "--json")
		if err := json.Unmarshal([]byte(r.out), &got); err != nil || r.code != c.code || got.Result != want {
			t.Errorf("%s: %v, %+v", want, err, r)
		}
	}
}

func TestVersionFlag(t *testing.T) {
	if flag, command := runProgram(t, "", "--version"), runProgram(t, "", "version"); flag != command || flag.code != 0 {
		t.Errorf("--version: %+v, version: %+v", flag, command)
	}
}
