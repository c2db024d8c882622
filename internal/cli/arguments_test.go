package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// An error names the argument that is wrong, and what was expected.
func TestWrongArgumentsAreNamed(t *testing.T) {
	dir := t.TempDir()
	for line, want := range map[string]string{
		"three-slots extra":  `"extra": expected at most one SCENARIO, 2 arguments given`,
		"fmt -w three-slots": "-w: three-slots is a built-in scenario, expected a file",
		"import " + dir:      "is a directory, expected a trace, a workload or a scenario",
	} {
		if r := clitest.Run(t, "", strings.Fields(line)...); r.Code != 2 || !strings.Contains(r.Err, want) || strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%s: exit %d, %s, want %s", line, r.Code, r.Err, want)
		}
	}
}

// Two runs are compared in words, without lines of traces.
func TestComparisonIsProse(t *testing.T) {
	name := filepath.Join(t.TempDir(), "b.json")
	if err := os.WriteFile(name, []byte(strings.Replace(clitest.Tiny, `"delay":`, `"delay":1`, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	r := clitest.Run(t, clitest.Tiny, "compare", "-", name)
	if r.Code != 0 || strings.Contains(r.Out, "{") || !strings.Contains(r.Out, "there A has schedule a (due ") {
		t.Errorf("exit %d\n%s%s", r.Code, r.Out, r.Err)
	}
}

// Errors in files and notes about them are in the language of the terminal.
func TestLanguageOfTheTerminal(t *testing.T) {
	t.Setenv("LC_ALL", "")
	t.Setenv("LC_MESSAGES", "")
	t.Setenv("LANG", "zh_CN.UTF-8")
	for text, want := range map[string]string{
		`{"wheelscope":1,"lanes":[]}`:   "workload: 缺少",
		"at,id,delay\n0,a,soon\n":       "delay: \"soon\" 不是刻度数",
		"at,id,delay\n2024-05-01,a,5\n": "时间为日期",
	} {
		if r := clitest.Run(t, text, "import", "-"); !strings.Contains(r.Err, want) {
			t.Errorf("%q: exit %d, %s, want %s", text, r.Code, r.Err, want)
		}
	}
	for args, want := range map[string]string{"check -": "workload: 缺少", "verify -": "第 1 行：场景：workload: 缺少"} { // each file has its own line
		text := `{"wheelscope":1,"lanes":[]}`
		if strings.HasPrefix(args, "verify") {
			text = `{"wheelscope":1,"kind":"trace","scenario":` + text + "}\n"
		}
		if r := clitest.Run(t, text, strings.Fields(args)...); r.Code != 2 || !strings.Contains(r.Err, want) {
			t.Errorf("%s: exit %d, %s, want %s", args, r.Code, r.Err, want)
		}
	}
	t.Setenv("LC_ALL", "C")
	if r := clitest.Run(t, "at,id,delay\n0,a,soon\n", "import", "-"); !strings.Contains(r.Err, "is not ticks") {
		t.Error(r.Err)
	}
}

// A file without a name is called after itself in what it is shown in, and its trace has no name.
func TestFileWithoutAName(t *testing.T) {
	name := filepath.Join(t.TempDir(), "mine.json")
	if err := os.WriteFile(name, []byte(strings.Replace(clitest.Tiny, `"name":"tiny",`, "", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	for as, want := range map[string]string{"svg": "<title>mine.json · ", "html": "<title>mine.json"} {
		if r := clitest.Run(t, "", "export", name, "--as", as); r.Code != 0 || !strings.Contains(r.Out, want) {
			t.Errorf("%s: exit %d, %.300s%s", as, r.Code, r.Out, r.Err)
		}
	}
	if r := clitest.Run(t, "", "run", name); r.Code != 0 || strings.Contains(r.Out, "mine") {
		t.Errorf("exit %d, %.200s", r.Code, r.Out)
	}
}
