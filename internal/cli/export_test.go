package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExport(t *testing.T) {
	trace := runProgram(t, tinyScenario, "run", "-").out
	r := runProgram(t, trace, "export", "-", "--as", "csv")
	if rows := strings.Split(r.out, "\n"); r.code != 0 || !strings.HasPrefix(rows[0], "tick,lane,algorithm,waiting,") || !strings.HasPrefix(rows[1], "0,simple,simple,") {
		t.Errorf("csv: %+v", r)
	}
	name := filepath.Join(t.TempDir(), "trace.json")
	if r := runProgram(t, trace, "export", "-", "--as", "perfetto", "-o", name); r.code != 0 || r.out != "" {
		t.Fatalf("perfetto: %+v", r)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ TraceEvents []map[string]any }
	if err := json.Unmarshal(data, &file); err != nil || len(file.TraceEvents) == 0 {
		t.Errorf("perfetto: %v, %d events", err, len(file.TraceEvents))
	}
}

// What can't be exported is told in one line, and leaves no file.
func TestExportRefuses(t *testing.T) {
	trace := runProgram(t, tinyScenario, "run", "-").out
	other := strings.Replace(trace, `"slot":2,"due":2`, `"slot":3,"due":2`, 1)
	dir := t.TempDir()
	name := filepath.Join(dir, "out.csv")
	for _, c := range []struct {
		in   string
		args []string
		err  string
	}{
		{other, []string{"export", "-", "--as", "csv", "-o", name}, "line 3 is not what the scenario gives"},
		{trace[:100], []string{"export", "-", "--as", "csv", "-o", name}, "line 1: "},
		{trace, []string{"export", "-", "--as", "xml"}, `--as: "xml" is not one of csv, perfetto`},
		{trace, []string{"export", "-"}, `--as: "" is not one of csv, perfetto`},
		{trace, []string{"export", dir, "--as", "csv"}, "a directory is not a trace"},
		{trace, []string{"export", "-", "--as", "csv", "-o", dir}, "a directory stands there"},
	} {
		r := runProgram(t, c.in, c.args...)
		if r.code != 2 || !strings.Contains(r.err, c.err) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v, want %q", c.args, r, c.err)
		}
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("a file is left behind")
	}
}
