package task_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// task add --file adds the tasks of a file with all options that a single task can have. With
// --if-absent it replaces no task.
func TestTaskAddFile(t *testing.T) {
	run := onRedis(t)
	lines := `{"key":"a","url":"https://example.org/x","at":"2030-01-01T00:00:00Z","method":"PUT","headers":{"X":"y"},"body":"b","max_attempts":3,"timeout":"30s"}

{"key_base64":"/w==","handler":"h","in":"1h","body_base64":"/w=="}
`
	for i, want := range []string{"2 added\n", "0 added, 2 were there already\n"} {
		args := []string{"task", "add", "--file", "-"}
		if i == 1 {
			args = append(args, "--if-absent")
		}
		if r := run(lines, args...); r.Code != 0 || r.Out != want || r.Err != "" {
			t.Errorf("%q: %+v", args, r)
		}
	}
	r := run("", "task", "get", "a", "--json")
	for _, want := range []string{`"due": "2030-01-01T00:00:00Z"`, `"method": "PUT"`, `"X": "y"`, `"body": "b"`, `"max_attempts": 3`, `"timeout": "30s"`} {
		if !strings.Contains(r.Out, want) {
			t.Errorf("%s is missing in %s", want, r.Out)
		}
	}
	if r := run("", "task", "get", "\xff", "--json"); !strings.Contains(r.Out, `"body_base64": "/w=="`) {
		t.Errorf("%+v", r)
	}
	if r := run("", "task", "add", "a", "http://other", "--if-absent"); r.Code != 0 || r.Out != "a already exists\n" {
		t.Errorf("%+v", r)
	}
	if r := run("", "task", "add", "n", "http://other", "--if-absent", "--attempts", "2", "--timeout", "5s", "--at", "2030-01-01T00:00:00Z"); r.Out != "n is due 2030-01-01T00:00:00.000Z\n" {
		t.Errorf("%+v", r)
	}
}

// An error in a file is reported with its line. The tasks before it are added.
func TestTaskFileMistakes(t *testing.T) {
	for want, c := range map[string]struct{ args, line string }{
		`line 2: "/colour" is not a field of a task (1 tasks were added before)`: {"add --file -", `{"key":"k","url":"http://x","colour":1}`},
		"line 2: not a JSON object with the fields of a task":                    {"add --file -", `{"key":"k"`},
		`line 2: "/url": the value has the wrong type`:                           {"add --file -", `{"key":"k","url":7}`},
		"line 2: not a JSON object with the fields":                              {"add --file -", `[]`},
		"line 2: bad input: neither URL nor handler given":                       {"add --file -", `{"key":"k"}`},
		"line 2: bad input: key: empty":                                          {"add --file -", `{"url":"http://x"}`},
		"line 2: both at and in given":                                           {"add --file -", `{"key":"k","url":"http://x","in":"1s","at":"2030-01-01T00:00:00Z"}`},
		`line 2: in: "soon" is not a duration`:                                   {"add --file -", `{"key":"k","url":"http://x","in":"soon"}`},
		"line 2: bad input: attempts: 1001, expected 1 to 1000":                  {"add --file -", `{"key":"k","url":"http://x","max_attempts":1001}`},
		"line 2: bad input: timeout: 2h0m0s, expected":                           {"add --file -", `{"key":"k","url":"http://x","timeout":"2h"}`},
		"line 2: longer than 2097152 bytes":                                      {"add --file -", `{"key":"` + strings.Repeat("x", 2<<20)},
		`line 2: "/state" is not a field`:                                        {"add --file -", `{"key":"k","url":"http://x","state":"dead"}`},
		`line 1: "/in" is not a field`:                                           {"import -", ``},
		"--body: only for a single task, not with --file":                        {"add --file - --body x", ``},
		"add: expected no arguments with --file, 1 given":                        {"add k --file -", ``},
		"/nowhere/x: no such file":                                               {"add --file /nowhere/x", ``},
	} {
		r := onRedis(t)(`{"key":"first","url":"http://x","in":"1h"}`+"\n"+c.line+"\n", append([]string{"task"}, strings.Fields(c.args)...)...)
		if r.Code != 2 || r.Out != "" || !strings.Contains(r.Err, want) || strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%s: %+v, want %q", c.args, r, want)
		}
	}
}

// Exported tasks can be imported into another wheel, with credentials only on request.
func TestTaskExportImport(t *testing.T) {
	run := onRedis(t)
	run("", "task", "add", "a", "https://u:secret@example.org/x", "--at", "2030-01-01T00:00:00Z", "--body", "b", "--header", "A: b", "--timeout", "5s")
	run("x\xff", "task", "add", "b", "--handler", "h", "--at", "2030-01-01T00:00:01Z", "--body-file", "-")
	for _, args := range []string{"task get a --json", "task get a", "task list", "task list --json", "task export"} {
		if r := run("", strings.Fields(args)...); r.Code != 0 || strings.Contains(r.Out, "secret") || !strings.Contains(r.Out, "xxxxx@example.org") {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := run(run("", "task", "export").Out, "task", "import", "-", "--wheel", "other"); r.Code != 2 || !strings.Contains(r.Err, "line 1: the credentials of its URL were left out") {
		t.Errorf("%+v", r)
	}
	r := run("", "task", "export", "--credentials")
	if strings.Count(r.Out, "\n") != 2 || !strings.Contains(r.Out, "u:secret@") {
		t.Fatalf("%+v", r)
	}
	if got := run(r.Out, "task", "import", "-", "--wheel", "other"); got.Code != 0 || got.Out != "2 added\n" {
		t.Errorf("%+v", got)
	}
	if got := run("", "task", "export", "--credentials", "--wheel", "other"); got.Out != r.Out {
		t.Errorf("%s, want %s", got.Out, r.Out)
	}
	if got := run(r.Out, "task", "import", "-", "--wheel", "other"); got.Out != "0 added, 2 were there already\n" {
		t.Errorf("%+v", got)
	}
	if got := run("", "task", "export", "--match", "b", "--state", "waiting"); strings.Count(got.Out, "\n") != 1 || !strings.Contains(got.Out, `"body_base64":"eP8="`) {
		t.Errorf("%+v", got)
	}
}

// A list longer than its limit is continued with the cursor that it printed.
func TestTaskListCursor(t *testing.T) {
	run := onRedis(t)
	var lines strings.Builder
	for i := range 25 {
		fmt.Fprintf(&lines, `{"key":"k%02d","url":"http://h%d/","at":"2030-01-01T00:00:0%dZ"}`+"\n", i, i%2, i/10)
	}
	if r := run(lines.String(), "task", "add", "--file", "-"); r.Out != "25 added\n" {
		t.Fatalf("%+v", r)
	}
	for _, mode := range [][]string{nil, {"--json"}} {
		args, keys := append([]string{"task", "list", "--limit", "4", "--host", "h1"}, mode...), 0
		r := run("", args...)
		for pages := 0; ; pages++ {
			keys += strings.Count(r.Out, "http://h1/")
			_, cursor, more := strings.Cut(strings.TrimSpace(r.Err), "there are more: --cursor ")
			if !more || pages > 5 {
				break
			}
			r = run("", append(args, "--cursor", cursor)...)
		}
		if keys != 12 || r.Err != "" {
			t.Errorf("%q: %d tasks, then %+v", mode, keys, r)
		}
	}
	for want, args := range map[string]string{
		`--cursor: "x" was not printed by task list`: "list --cursor x",
		"--cursor and --from: only one":              "list --cursor x --from 2030-01-01T00:00:00Z",
	} {
		if r := run("", append([]string{"task"}, strings.Fields(args)...)...); r.Code != 2 || !strings.Contains(r.Err, want) {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

// BenchmarkTaskAddFile adds and lists very many tasks. Run it by hand: go test -run '^$' -bench
// TaskAddFile.
func BenchmarkTaskAddFile(b *testing.B) {
	addr := redistest.Start(b).Addr
	name := filepath.Join(b.TempDir(), "tasks.jsonl")
	var lines strings.Builder
	for i := range b.N {
		fmt.Fprintf(&lines, `{"key":"order-%d","url":"https://example.org/remind/%d","in":"1h","body":"{\"order\":%d}"}`+"\n", i, i, i)
	}
	if err := os.WriteFile(name, []byte(lines.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	c := clitest.Program(b, "task", "add", "--file", name, "--redis", addr)
	b.ResetTimer()
	if out, err := c.CombinedOutput(); err != nil || string(out) != fmt.Sprintf("%d added\n", b.N) {
		b.Fatalf("%s, %v", out, err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tasks/s")
}
