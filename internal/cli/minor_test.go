package cli

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// A chain of links to a file that does not exist yet is followed to its end.
func TestChainedDanglingLinks(t *testing.T) {
	dir := t.TempDir()
	for link, to := range map[string]string{"a": "b", "b": "c", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if r := runProgram(t, tinyScenario, "run", "-", "-o", filepath.Join(dir, "a")); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if info, err := os.Lstat(filepath.Join(dir, "c")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the file at the end of the links: %v, %v", info, err)
	}
	if to, err := os.Readlink(filepath.Join(dir, "b")); err != nil || to != "c" {
		t.Errorf("a link was replaced: %q, %v", to, err)
	}
	if r := runProgram(t, tinyScenario, "run", "-", "-o", filepath.Join(dir, "loop")); r.code != 2 {
		t.Errorf("a loop: %+v", r)
	}
}

// The version and the commit of a module that go install built are those of the module.
func TestVersionOfAModule(t *testing.T) {
	info := &debug.BuildInfo{Main: debug.Module{Version: "v0.2.1-0.20261102101112-0123456789ab"}}
	if v, c := version(info), commit(info); v != "0.2.1-0.20261102101112-0123456789ab" || c != "0123456789ab" {
		t.Errorf("version %q, commit %q", v, c)
	}
	info = &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}}}
	if v, c := version(info), commit(info); v != release || c != "abc" {
		t.Errorf("version %q, commit %q", v, c)
	}
}
