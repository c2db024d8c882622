package cli_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// steering sets a terminal's title, clears it, breaks the line and reverses what follows.
const steering = "n\x1b]0;owned\x07\x1b[2J\r\n\u202eevil\u2066\u009b31m\x7f"

// expectPrintable checks that a command's output does not control a terminal.
func expectPrintable(t *testing.T, what, text string) {
	t.Helper()
	for i, r := range text {
		if r != '\n' && !unicode.IsPrint(r) || r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			t.Errorf("%s: %q at byte %d of %q", what, r, i, text)
			return
		}
	}
}

// steeringScenario has steering texts in all its text fields.
func steeringScenario(t *testing.T, delay string) string {
	t.Helper()
	name, err := json.Marshal(steering)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("NAME", string(name), "DELAY", delay).Replace(`{"wheelscope":1,"name":NAME,"title":NAME,"summary":NAME,"question":NAME,"until":9,
		"lanes":[{"id":NAME,"algorithm":"heap"}],"workload":{"ops":[{"at":0,"op":"schedule","timer":NAME,"delay":DELAY}]}}`)
}

// No command prints text that controls a terminal, whatever the names and contents of files.
// Traces and JSON are unchanged; they are written to files here.
func TestNoCommandSteersTerminal(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	good := file("good.json", steeringScenario(t, "1"))
	other := file("other.json", steeringScenario(t, "2"))
	strange := file("a\x1b[2J\u202e.json", steeringScenario(t, "1"))
	table := file("b\x1b[2J.csv", "# comment\nat,id,delay\n0,a,5\n")
	badField := file("bad.json", strings.Replace(steeringScenario(t, "1"), `"until"`, `"x\u001b[2J\u202e":1,"until"`, 1))
	badOp := file("op.json", strings.Replace(steeringScenario(t, "1"), `"op":"schedule"`, `"op":"\u001b[2J\u009b"`, 1))
	badTable := file("bad.csv", "at,id,op,delay\n0,a\x1b[2J,\x1b]0;x\x07,5\n")
	trace := filepath.Join(dir, "t\x1b[2J.jsonl")
	if r := clitest.Run(t, "", "run", strange, "-o", trace); r.Code != 0 || r.Out+r.Err != "" {
		t.Fatalf("%+v", r)
	}
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	altered := file("altered\x1b.jsonl", strings.Replace(string(data), `"due":1`, `"due":3`, 1))
	for _, c := range []struct {
		code int
		args []string
	}{
		{0, []string{"compare", good}},
		{0, []string{"compare", good, other}},
		{0, []string{"compare", good, altered}},
		{0, []string{"compare", strange}},
		{0, []string{"verify", trace}},
		{1, []string{"verify", altered}},
		{0, []string{"import", trace, "-o", filepath.Join(dir, "out.json")}},
		{0, []string{"import", table, "-o", filepath.Join(dir, "out.json")}},
		{0, []string{"scenarios"}},
		{2, []string{"import", altered}},
		{2, []string{"import", badTable}},
		{2, []string{"export", altered, "--as", "csv"}},
		{2, []string{"export", trace, "--as", "svg", "--lane", steering + "x"}},
		{2, []string{"run", badField}},
		{2, []string{"run", badOp}},
		{2, []string{"run", steering}},
		{2, []string{"run", good, "-o", filepath.Join(dir, "no\x1b[2J", "x")}},
		{2, []string{steering}},
		{2, []string{"compare", good, "--format", steering}},
		{2, []string{"compare", good, "--x\x1b[2J"}},
		{2, []string{"help", steering}},
	} {
		r := clitest.Run(t, "", c.args...)
		what := strings.Join(c.args, " ")
		if r.Code != c.code {
			t.Errorf("%q: exit %d, stderr %q", what, r.Code, r.Err)
		}
		expectPrintable(t, what+": stdout", r.Out)
		expectPrintable(t, what+": stderr", r.Err)
		if c.code == 2 && strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%q: more than a line: %q", what, r.Err)
		}
	}
}

// The logs of serve and worker quote texts that control a terminal.
func TestLogSteersNoTerminal(t *testing.T) {
	var b bytes.Buffer
	slog.New(slog.NewTextHandler(&b, nil)).Error(steering, "key", steering, steering, 1)
	expectPrintable(t, "log", b.String())
}
