package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	r := runProgram(t, "", "version")
	first, _, _ := strings.Cut(r.out, "\n")
	release, ok := strings.CutPrefix(first, "wheelscope ")
	if r.code != 0 || !ok || !strings.Contains(r.out, runtime.Version()) || !strings.Contains(r.out, "\ncommit ") {
		t.Errorf("%+v", r)
	}
	change, err := os.ReadFile(filepath.Join("..", "..", "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(change), "\n## ")
	if unreleased, ok := strings.CutPrefix(rest, "Unreleased\n"); ok {
		_, rest, _ = strings.Cut(unreleased, "\n## ")
	}
	if !strings.HasPrefix(rest, release) {
		t.Errorf("the newest release of CHANGELOG.md is not %s", release)
	}
}

func TestVersionFlag(t *testing.T) {
	if flag, command := runProgram(t, "", "--version"), runProgram(t, "", "version"); flag != command || flag.code != 0 {
		t.Errorf("--version: %+v, version: %+v", flag, command)
	}
}
