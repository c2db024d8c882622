package rediswheel_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The quick start of docs/operating.md compiles, and is short.
func TestQuickStart(t *testing.T) {
	doc, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(doc), "```go\n")
	program, _, found := strings.Cut(program, "```\n")
	if lines := strings.Count(program, "\n"); !found || lines > 40 {
		t.Fatalf("a program of %d lines", lines)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", os.DevNull, file)
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as the rest of the program is compiled
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
