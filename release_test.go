package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// releaseWait bounds each command of these tests. The first build of the engine and of the tool that
// lists modules takes minutes.
const releaseWait = 9 * time.Minute

// command runs a command in a folder, with variables added to the environment, and returns its output.
func command(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Dir, c.Env, c.WaitDelay = dir, append(os.Environ(), env...), releaseWait
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// clone clones the newest commit to a folder of the test and gives it the tag v1.0.0.
func clone(t *testing.T, name string) string {
	t.Helper()
	if _, err := os.Stat(".git"); err != nil {
		lacks(t, err)
	}
	dir := filepath.Join(t.TempDir(), name)
	command(t, ".", nil, "git", "clone", "-q", ".", dir)
	command(t, dir, nil, "git", "tag", "-f", "v1.0.0")
	return dir
}

// The program can be installed from a tag by go install: the files of the module are complete, and
// go.mod replaces nothing. With -n the command downloads and reads all of them, as it would from
// the public repository, and compiles nothing.
func TestInstallOfATag(t *testing.T) {
	source := clone(t, "source")
	settings := strings.Fields(command(t, ".", nil, "go", "env", "GOMODCACHE", "GOPROXY"))
	env := []string{
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://" + source + ".insteadOf", "GIT_CONFIG_VALUE_0=https://" + module,
		"GONOPROXY=" + module, "GOPROXY=file://" + settings[0] + "/cache/download," + settings[1], "GOSUMDB=off",
		"GOMODCACHE=" + t.TempDir(), "GOBIN=" + t.TempDir(), "GOFLAGS=-modcacherw",
	}
	if steps := command(t, source, env, "go", "install", "-n", module+"@v1.0.0"); !strings.Contains(steps, module+"@v1.0.0/internal/cli") {
		t.Errorf("go install: %.1000s", steps)
	}
}
