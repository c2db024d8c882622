package cli_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

func TestVersion(t *testing.T) {
	r := clitest.Run(t, "", "version")
	first, _, _ := strings.Cut(r.Out, "\n")
	release, ok := strings.CutPrefix(first, "wheelscope ")
	if r.Code != 0 || !ok || !strings.Contains(r.Out, runtime.Version()) || !strings.Contains(r.Out, "\ncommit ") {
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
	if flag, command := clitest.Run(t, "", "--version"), clitest.Run(t, "", "version"); flag != command || flag.Code != 0 {
		t.Errorf("--version: %+v, version: %+v", flag, command)
	}
}
