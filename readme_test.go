package main

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/testprogram"
)

// readmeWait bounds each command of the README.
const readmeWait = time.Minute

// readmeExcluded are commands of the README that are not run, with the reason.
var readmeExcluded = map[string]string{
	"make test":    "runs this test",
	"redis-server": "starts a server on a fixed port; internal/faults runs worker and tasks on real ones",
	"wheelscope worker --redis 127.0.0.1:6379": "needs that server",
	"wheelscope task add":                      "needs that server",
	"wheelscope serve --redis":                 "needs that server",
}

// readmeCommands returns the lines of the blocks of commands: those marked sh, or not marked.
func readmeCommands(text string) (lines []string) {
	open, commands := false, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if mark, ok := strings.CutPrefix(line, "```"); ok {
			open, commands = !open, !open && (mark == "" || mark == "sh")
		} else if commands {
			lines = append(lines, line)
		}
	}
	return lines
}

// Every command in a block of the README works in an empty directory, with the program built here.
func TestReadmeCommands(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	bin, dir := t.TempDir(), t.TempDir()
	if _, err := testprogram.Build(bin); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	used := map[string]bool{}
	run := 0
lines:
	for _, line := range readmeCommands(string(text)) {
		for prefix := range readmeExcluded {
			if strings.HasPrefix(line, prefix) {
				used[prefix] = true
				continue lines
			}
		}
		run++
		readmeCommand(t, dir, line)
	}
	if run < 4 || len(used) != len(readmeExcluded) {
		t.Errorf("%d commands run, %d rules used of %d", run, len(used), len(readmeExcluded))
	}
}

// readmeCommand runs one command. It replaces go install and go run by the program built here; a
// server gets a free port and is stopped once it listens.
func readmeCommand(t *testing.T, dir, line string) {
	t.Helper()
	switch {
	case strings.HasPrefix(line, "go install github.com/wheelscope/wheelscope@"):
		return
	case strings.HasPrefix(line, "go run . "), line == "go run .":
		line = "exec wheelscope --addr 127.0.0.1:0" + strings.TrimPrefix(line, "go run .")
	}
	c := exec.CommandContext(t.Context(), "sh", "-c", line)
	c.Dir, c.WaitDelay = dir, readmeWait
	if strings.Contains(line, "127.0.0.1:0") {
		out, err := c.StdoutPipe()
		if err != nil || c.Start() != nil {
			t.Fatalf("%s: %v", line, err)
		}
		first, _ := bufio.NewReader(out).ReadString('\n')
		_ = c.Process.Kill()
		_ = c.Wait()
		if !strings.HasPrefix(first, "listening on http://127.0.0.1:") {
			t.Errorf("%s: %q", line, first)
		}
		return
	}
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", line, err, out)
	}
}
