package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
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

// readAll returns the contents of the files in a folder.
func readAll(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range names {
		data, e := os.ReadFile(name)
		files[filepath.Base(name)], err = data, errors.Join(err, e)
	}
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Two clones in different folders give a release of the same bytes, whose sums are right, and whose program
// knows its version, its commit and its engine.
func TestReleaseIsReproducible(t *testing.T) {
	target := runtime.GOOS + "/" + runtime.GOARCH
	out := t.TempDir()
	releases := make([]map[string][]byte, 2)
	t.Run("builds", func(t *testing.T) { // returns when both have ended
		for i, name := range []string{"a", "another"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				to := filepath.Join(out, name)
				command(t, clone(t, name), nil, "make", "release", "TARGETS="+target, "OUT="+to)
				releases[i] = readAll(t, to)
			})
		}
	})
	if len(releases[0]) != 3 {
		t.Errorf("%d files", len(releases[0]))
	}
	for name, data := range releases[0] {
		if !bytes.Equal(data, releases[1][name]) {
			t.Errorf("%s differs", name)
		}
	}
	out = filepath.Join(out, "a")
	command(t, out, nil, "sha256sum", "-c", "SHA256SUMS")

	base := "wheelscope_1.0.0_" + runtime.GOOS + "_" + runtime.GOARCH
	unpacked := t.TempDir()
	command(t, unpacked, nil, "tar", "-xzf", filepath.Join(out, base+".tar.gz"))
	program := filepath.Join(unpacked, base, "wheelscope")
	head := strings.TrimSpace(command(t, ".", nil, "git", "rev-parse", "HEAD"))
	if got := command(t, unpacked, nil, program, "version"); !regexp.MustCompile(`^wheelscope 1\.0\.0\ncommit     ` + head + `\ngo .*\nengine     [0-9a-f]{64}\n$`).MatchString(got) {
		t.Errorf("version: %s", got)
	}
	if licences, err := os.ReadFile(filepath.Join(unpacked, base, "LICENSES")); err != nil || !bytes.Contains(licences, []byte("github.com/labstack/echo/v4 ")) {
		t.Errorf("licences of modules: %v", err)
	}
	if list := releases[0][base+".cdx.json"]; !bytes.Contains(list, []byte("pkg:golang/github.com/labstack/echo/v4@")) {
		t.Errorf("the list of modules: %.300s", list)
	}
}

// go install can take the program from a tag: the files of the module are complete, and go.mod replaces nothing.
// With -n it downloads and reads all of them, as it would from the public repository, and compiles nothing.
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
