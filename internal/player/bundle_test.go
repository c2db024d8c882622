package player

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/wheelscope/wheelscope/static"
)

// Every imported module is in the bundle under its name; no relative import is left.
func TestBundleIsWhole(t *testing.T) {
	modules, err := bundle(static.FS(), firstModule)
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?:\bfrom |\bimport |\bimport\()"([^"]+)"(\)\.)?`)
	for name, text := range modules {
		for _, line := range strings.Split(text, "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "*") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/**") {
				continue
			}
			for _, m := range named.FindAllStringSubmatch(line, -1) {
				if _, ok := modules[m[1]]; !ok && m[2] == "" {
					t.Errorf("%s imports %q, which is not there", name, m[1])
				}
			}
		}
		if strings.Contains(text, "import.meta") {
			t.Errorf("%s asks for its address", name)
		}
	}
	for _, want := range []string{"wheelscope/app.js", "wheelscope/offline/link.js", "wheelscope/state/fold.js", "wheelscope/story/code-lines.js"} {
		if modules[want] == "" {
			t.Errorf("%s is not in the bundle", want)
		}
	}
	for _, gone := range []string{"wheelscope/core/connection.js", "wheelscope/features.js", "wheelscope/page/panes.js", "wheelscope/edit/lanes.js"} {
		if modules[gone] != "" {
			t.Errorf("%s is in the bundle: a file has no use for it", gone)
		}
	}
}

// A replacement module exports what the page imports from it.
func TestReplacedModulesExportTheSame(t *testing.T) {
	exports := regexp.MustCompile(`(?m)^export (?:const|class|function|async function) (\w+)`)
	names := func(file string) []string {
		data, err := fs.ReadFile(static.FS(), file)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, m := range exports.FindAllStringSubmatch(string(data), -1) {
			list = append(list, m[1])
		}
		return list
	}
	for from, to := range replaced {
		have := names(to)
		for _, name := range names(from) {
			if !slices.Contains(have, name) {
				t.Errorf("%s exports %s, %s does not", from, name, to)
			}
		}
	}
}

func TestRelink(t *testing.T) {
	files := fstest.MapFS{
		"js/a.js":     {Data: []byte(`import { B } from "./in/b.js"; /** @type {import("./never.js").T} */ const c = await import("./c.js");`)},
		"js/in/b.js":  {Data: []byte(`export const B = 1; import "../a.js"; const at = import.meta.url;`)},
		"js/c.js":     {Data: []byte(`export {};`)},
		"js/other.js": {Data: []byte(`export {};`)},
	}
	got, err := bundle(files, "js/a.js")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"wheelscope/a.js":    `import { B } from "wheelscope/in/b.js"; /** @type {import("./never.js").T} */ const c = await import("wheelscope/c.js");`,
		"wheelscope/in/b.js": `export const B = 1; import "wheelscope/a.js"; const at = "https://wheelscope.invalid/js/in/b.js";`,
		"wheelscope/c.js":    `export {};`,
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %q, want %q", name, got[name], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d modules, want %d", len(got), len(want))
	}
	if _, err := bundle(fstest.MapFS{"js/a.js": {Data: []byte(`import "./gone.js";`)}}, "js/a.js"); err == nil {
		t.Error("a module that is not there is not missed")
	}
}
