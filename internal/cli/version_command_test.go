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

// A program without the engine prints one line that says where to get it.
func TestNoEngine(t *testing.T) {
	const where = "`make site` in the source compiles it, and released programs contain it\n"
	if r := clitest.Run(t, "", "version"); !strings.Contains(r.Out, "\nengine     none: ") || !strings.HasSuffix(r.Out, where) {
		t.Errorf("%+v", r)
	}
	if r := clitest.Run(t, "", "site", "-o", t.TempDir()); r.Code != 2 || r.Out != "" || strings.Count(r.Err, "\n") != 1 || !strings.HasSuffix(r.Err, where) {
		t.Errorf("%+v", r)
	}
}
