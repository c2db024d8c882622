package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli"
	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// TestMain runs the tests. In a process started by startStuck it runs the program with an
// additional command.
func TestMain(m *testing.M) {
	if os.Getenv(asStuck) != "" {
		os.Exit(cli.Execute(newStuckRoot, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	clitest.Main(m)
}

// Streams and exit codes are the same if the program runs in its own process.
func TestProcess(t *testing.T) {
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	altered := strings.Replace(trace, `"slot":2,"due":2`, `"slot":3,"due":2`, 1)
	for _, c := range []struct {
		args, stdin string
		want        clitest.Result
	}{
		{"run -", clitest.Tiny, clitest.Result{Code: 0, Out: trace, Err: ""}},
		{"run - -o /dev/stdout", clitest.Tiny, clitest.Result{Code: 0, Out: trace, Err: ""}},
		{"verify -", altered, clitest.Result{Code: 1, Out: clitest.Run(t, altered, "verify", "-").Out, Err: ""}},
		{"run -", "{}", clitest.Result{Code: 2, Out: "", Err: clitest.Run(t, "{}", "run", "-").Err}},
		{"version", "", clitest.Result{Code: 0, Out: clitest.Run(t, "", "version").Out, Err: ""}},
	} {
		if got := clitest.RunProcess(t, c.stdin, strings.Fields(c.args)...); got != c.want {
			t.Errorf("wheelscope %s: %+v, want %+v", c.args, got, c.want)
		}
	}
}

// Every error is one line on stderr that says what is wrong. The exit code is 2.
func TestErrorsAreOneLine(t *testing.T) {
	text := func(old, new string) string { return strings.Replace(clitest.Tiny, old, new, 1) }
	big := clitest.WriteFile(t, "big.json", strings.Repeat(" ", scenario.BytesMax+1))
	for _, c := range []struct {
		args, stdin, says string
	}{
		{"--bogus", "", "--bogus is not a flag of wheelscope"},
		{"algorithms --json=maybe", "", `--json: "maybe" is not true or false (wheelscope algorithms --help`},
		{"export - --as svg --at 1e3", "", `--at: "1e3" is not a whole number of up to 18 digits (`},
		{"export - --as svg --size 99999999999999999999", "", `--size: "99999999999999999999" is not a whole number of`},
		{"task add key url --in tomorrow", "", `--in: "tomorrow" is not a duration such as 90s or 2h30m (`},
		{"serve --host-allow a\"b", "", "--host-allow"},
		{"serve --host-allow http://lab.example.org", "", `host-allow: "http://lab.example.org" can never match: a host has no scheme`},
		{"serve --host-allow lab.example,", "", `host-allow: "" can never match`},
		{"serve --host-allow=", "", `--host-allow: "" can never match`},
		{"serve --sockets 0", "", "--sockets: 0 is not 1 or more"},
		{"serve --sockets-per-address=-1", "", "--sockets-per-address: -1 is not 0 or more"},
		{"serve --token short", "", "token: 5 characters; expected 16 to 1024"},
		{"serve --token=", "", "--token is empty"},
		{"serve --token x --token-file y", "", "both --token and --token-file are given"},
		{"serve --token-file nowhere", "", "--token-file: open nowhere"},
		{"rnu", "", `did you mean "run"?`},
		{"rnu three-slots", "", `did you mean "run"?`},
		{"walk three-slots", "", `"walk" is not a command`},
		{"nowhere.json", "", `"nowhere.json" is neither a file nor a built-in scenario`},
		{"serve one two", "", "at most one SCENARIO"},
		{"serve --addr nowhere", "", "nowhere"},
		{"serve --base-path a/b", "", "base path"},
		{"help nosuch", "", `"nosuch" is not a command`},
		{"completion", "", "completion needs one of bash, fish, powershell, zsh"},
		{"completion zhs", "", `"zhs" is not a command of completion`},
		{"compare a b c", "", "compare needs one SCENARIO, or A and B, 3 given"},
		{"run", "", "run needs one SCENARIO, 0 given"},
		{"run a b", "", "run needs one SCENARIO, 2 given"},
		{"run nowhere.json", "", "neither a file nor a built-in"},
		{"run .", "", "is a directory, expected a scenario"},
		{"run " + big, "", "more than 134217728 bytes"},
		{"run -", "", "standard input: "},
		{"run -", "{", "not JSON"},
		{"run -", text(`"slots":4`, `"slots":0`), "standard input: lanes[0].slots: 0 is not"},
		{"run -", text(`"name"`, `"nmae"`), "nmae"},
		{"run -", text(`"w"`, `"simple"`), "lanes[1].id"},
		{"run -", text(`"algorithm":"heap"`, `"algorithm":"sundial"`), "sundial"},
		{"run -", text(`"wheelscope":1`, `"wheelscope":9`), "wheelscope: 9"},
		{"run - -o " + filepath.Join(t.TempDir(), "no", "where"), clitest.Tiny, "no such file or directory"},
		{"run - -o " + t.TempDir(), clitest.Tiny, "the name is that of a directory"},
		{"run - -o /dev/full", clitest.Tiny, "/dev/full: write: no space left on device"},
		{"run -", `{"wheelscope":1,"lanes":[],"workload":{}}`, "lanes"},
		{"run -", text(`"slots":4`, `"slots":1099511627776`), "lanes[0].slots: 1099511627776 is not"},
		{"run -", text(`"name"`, `"until":1180591620717411303424,"name"`), "until"},
		{"compare", "", "compare needs one SCENARIO"},
		{"compare - --format xml", clitest.Tiny, `"xml" is not one of table, csv, json`},
		{"verify", "", "verify needs one TRACE"},
		{"verify nowhere.jsonl", "", "nowhere.jsonl"},
		{"verify .", "", "is a directory, expected a trace"},
		{"verify -", "", "standard input: line 1: the file is empty; expected a trace"},
		{"verify -", "{}\n", `line 1: found "{}"`},
		{"algorithms heap", "", "algorithms takes no arguments"},
		{"version 2", "", "version takes no arguments"},
	} {
		r := clitest.Run(t, c.stdin, strings.Fields(c.args)...)
		if r.Code != 2 || r.Out != "" || strings.Count(r.Err, "\n") != 1 ||
			!strings.HasPrefix(r.Err, "wheelscope: ") || !strings.Contains(r.Err, c.says) {
			t.Errorf("wheelscope %s: exit %d, stdout %q, stderr %q; want 2, nothing, and one line saying %q", c.args, r.Code, r.Out, r.Err, c.says)
		}
	}
}

func TestHelpTeaches(t *testing.T) {
	for _, c := range []struct {
		args string
		says []string
	}{
		{"--help", []string{"Usage:", "Examples:", "three-slots", "verify", "completion", "exit code 2"}},
		{"serve --help", []string{"--addr", "--host-allow", "--base-path", "--sockets", "--token-file", "WHEELSCOPE_TOKEN", "Limits:", "512 sessions", "1024 open pages"}},
		{"run --help", []string{"-o, --output TRACE", ".gz", "Limits:", "24 lanes", "128 MiB"}},
		{"verify --help", []string{"exit 0", "exit 1", "exit 2", "64 KiB"}},
		{"compare --help", []string{"--format", "late_p99", "bytes_per_timer"}},
		{"algorithms --help", []string{"--json"}},
		{"scenarios --help", []string{"--json"}},
	} {
		r := clitest.Run(t, "", strings.Fields(c.args)...)
		for _, says := range c.says {
			if !strings.Contains(r.Out, says) {
				t.Errorf("wheelscope %s does not contain %q", c.args, says)
			}
		}
		if r.Code != 0 || r.Err != "" {
			t.Errorf("wheelscope %s: exit %d, stderr %q", c.args, r.Code, r.Err)
		}
		for line := range strings.Lines(r.Out) {
			if len([]rune(line)) > 101 {
				t.Errorf("wheelscope %s: a line of %d characters: %s", c.args, len([]rune(line)), line)
			}
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if r := clitest.Run(t, "", "completion", shell); r.Code != 0 || !strings.Contains(r.Out, "wheelscope") {
			t.Errorf("completion %s: exit %d, %d bytes", shell, r.Code, len(r.Out))
		}
	}
	if r := clitest.Run(t, "", "__complete", "run", "three"); !strings.Contains("\n"+r.Out, "\nthree-slots\t") {
		t.Errorf("run three<TAB> gives %q", r.Out)
	}
	for _, args := range [][]string{{"compare", "three-slots", "three"}, {"import", "x", "--lanes", "three"}} {
		if r := clitest.Run(t, "", append([]string{"__complete"}, args...)...); !strings.Contains("\n"+r.Out, "\nthree-slots\t") {
			t.Errorf("%q<TAB> gives %q", args, r.Out)
		}
	}
	if r := clitest.Run(t, "", "__complete", "compare", "a", "b", "three"); strings.Contains(r.Out, "three-slots") {
		t.Errorf("a third is completed: %q", r.Out)
	}
	if r := clitest.Run(t, "", "__complete", "compare", "x", "--format", ""); !strings.HasPrefix(r.Out, "table\ncsv\njson\n") {
		t.Errorf("--format <TAB> gives %q", r.Out)
	}
}
