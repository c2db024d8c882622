package static

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLabScript checks that the modules of labScript have only the forms of imports and exports that it can
// rewrite, and that each imported name is exported.
func TestLabScript(t *testing.T) {
	script := string(linked())
	if m := regexp.MustCompile(`(?m)^\s*(export .*|import (?:[^*(]|\* as [^s]).*)$`).FindAllString(script, -1); len(m) != 1 || m[0] != "export const labModules = {};" {
		t.Errorf("not rewritten: %q", m)
	}
	for _, name := range labModules() {
		text := read(t, name)
		if got, want := len(importForm.FindAllString(text, -1)), len(importsOf(name, text).static); got != want {
			t.Errorf("%s has %d static imports, of which %d are rewritten", name, want, got)
		}
		for _, m := range importForm.FindAllStringSubmatch(text, -1) {
			exported := strings.Split(exportsOf(read(t, path.Join(path.Dir(name), m[2]))), ", ")
			for imported := range strings.SplitSeq(strings.Trim(m[1], "{}"), ",") {
				imported, _, _ = strings.Cut(strings.TrimSpace(imported), " as ")
				if imported != "*" && imported != "" && !slices.Contains(exported, imported) {
					t.Errorf("%s imports %s from %s, which exports %s", name, imported, m[2], exported)
				}
			}
		}
		if m := regexp.MustCompile(`(?m)^export (let|var|default|\{|\*|const [\w]+ = [^;(\[{]*, \w+ =).*`).FindString(text); m != "" {
			t.Errorf("%s: %q can't be rewritten", name, m)
		}
	}
}

// TestLabFiles checks the other files of labFolder: one for each name, and modules that import labScript.
func TestLabFiles(t *testing.T) {
	for _, name := range Names() {
		if _, ok := File(name); !ok {
			t.Errorf("there is no %s", name)
		}
	}
	for name, want := range map[string]string{
		"lab/story/step.js":       `import { labModules } from "../app.js";` + "\nexport const { ",
		"lab/features.js":         `import { labModules } from "./app.js";` + "\nexport const { features } = labModules[\"js/features.js\"];\n",
		"lab/core/texts.js":       moduleText("js/core/texts.js"),
		"lab/edit/lanes.js":       moduleText("js/edit/lanes.js"),
		"lab/page/timeline/../..": "", "lab/": "", "lab/nope.js": "", "lab/css/page.css": "",
	} {
		data, ok := File(name)
		if ok != (want != "") || !strings.HasPrefix(string(data), want) {
			t.Errorf("%s: %v %.200s", name, ok, data)
		}
	}
}
