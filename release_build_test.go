//go:build release

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

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

// Two clones in different folders result in a release with the same bytes. Its checksums are right,
// and its program knows its version, its commit and its engine.
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
