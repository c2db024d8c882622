package static

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestImportsOf(t *testing.T) {
	const text = `// import "./comment.js"
/** @typedef {import("./type.js").T} T */
import { a } from "./a.js";
import "../b.js"; // import("./comment.js")
export { c } from "./in/c.js";
const d = () => import("./d.js").then((m) => m.d);
const url = "https://example.com/"; import ( "./e.js" );
import{f}from"./f.js";
`
	got := importsOf("js/m.js", text)
	if want := []string{"js/a.js", "b.js", "js/in/c.js", "js/f.js"}; !slices.Equal(got.static, want) {
		t.Errorf("imports %q, want %q", got.static, want)
	}
	if want := []string{"js/d.js", "js/e.js"}; !slices.Equal(got.dynamic, want) {
		t.Errorf("dynamic imports %q, want %q", got.dynamic, want)
	}
}

func TestEveryImportedModuleExists(t *testing.T) {
	all := named("js/", ".js")
	for _, name := range everyModule() {
		found := importsOf(name, read(t, name))
		for _, want := range slices.Concat(found.static, found.dynamic) {
			if !slices.Contains(all, want) {
				t.Errorf("%s imports %s, which does not exist", name, want)
			}
		}
	}
}

// TestFirstPaintNeedsFewModules checks which modules of the folders of single features the first
// paint needs. A static import of a module that is only needed on demand would make every visit
// slower.
func TestFirstPaintNeedsFewModules(t *testing.T) {
	const first = " compare/run-summary edit/editor inspect/inspection share/picture-file share/share "
	for _, name := range Closure("js/lab.js") {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "js/"), ".js")
		if folder := topFolder(name); !slices.Contains([]string{"", "core", "state", "picture", "page", "story"}, folder) && !strings.Contains(first, " "+name+" ") {
			t.Errorf("%s is needed for the first paint", name)
		}
	}
	for name := range strings.FieldsSeq(first) {
		if !slices.Contains(Closure("js/lab.js"), "js/"+name+".js") {
			t.Errorf("%s is not needed for the first paint", name)
		}
	}
}

// layers is the order of the folders of js/. A module imports modules of its own folder and of
// earlier layers only, also on demand. Folders of one layer do not import each other. The last
// layer is the root: the entry point of the lab page and its list of features.
var layers = [][]string{
	{"vendor"},
	{"core"},    // transport, protocol, texts, the browser
	{"state"},   // what the messages of the server mean
	{"picture"}, // the picture of one lane
	{"page"},    // lanes, tables, player, timeline, panes
	{"story"},   // what happened and why
	{"inspect"}, // cards about a slot or a timer, magnification
	{"algorithms", "article", "choose", "compare", "edit", "entry", "gallery", "learn", "live", "own", "race", "share", "site", "worker"},
	{"recorded"}, // the page of a recorded run, which uses the events as the entry view does
	{""},
}

// topFolder returns the first folder of a module's name below js/, "" if there is none.
func topFolder(name string) string {
	folder, _, found := strings.Cut(strings.TrimPrefix(name, "js/"), "/")
	if !found {
		return ""
	}
	return folder
}

// layerOf returns the index of a module's folder in layers, -1 if it is not there.
func layerOf(name string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, topFolder(name)) })
}

// upward returns why a module must not import another, or "" if it may.
func upward(from, to string) string {
	switch a, b := layerOf(from), layerOf(to); {
	case a < 0:
		return from + " is in no folder of the table"
	case b > a || b == a && topFolder(from) != topFolder(to):
		return from + " imports " + to
	}
	return ""
}

func TestImportsRunDownwards(t *testing.T) {
	for _, name := range everyModule() {
		text := read(t, name)
		found := importsOf(name, text)
		for _, to := range slices.Concat(found.static, found.dynamic, typesOf(name, text)) {
			if fault := upward(name, to); fault != "" {
				t.Error(fault)
			}
		}
	}
}

var typeImport = regexp.MustCompile(`import\("(\.{1,2}/[^"]+)"\)`)

// typesOf returns the modules from which a module's comments import types.
func typesOf(name, text string) []string {
	var list []string
	for _, m := range typeImport.FindAllStringSubmatch(text, -1) {
		list = append(list, path.Join(path.Dir(name), m[1]))
	}
	return list
}

func TestNoImportCycle(t *testing.T) {
	graph := map[string][]string{}
	for _, name := range everyModule() {
		found := importsOf(name, read(t, name))
		graph[name] = slices.Concat(found.static, found.dynamic)
	}
	if cycle := cycleIn(graph); cycle != nil {
		t.Errorf("import cycle: %s", strings.Join(cycle, " → "))
	}
}

// cycleIn returns a cycle of a graph with its first node repeated at the end, nil if there is none.
func cycleIn(graph map[string][]string) []string {
	done := map[string]bool{}
	var stack []string
	var visit func(node string) []string
	visit = func(node string) []string {
		if i := slices.Index(stack, node); i >= 0 {
			return append(slices.Clone(stack[i:]), node)
		}
		if done[node] {
			return nil
		}
		stack = append(stack, node)
		for _, next := range graph[node] {
			if cycle := visit(next); cycle != nil {
				return cycle
			}
		}
		stack = stack[:len(stack)-1]
		done[node] = true
		return nil
	}
	for _, node := range slices.Sorted(maps.Keys(graph)) {
		if cycle := visit(node); cycle != nil {
			return cycle
		}
	}
	return nil
}

func TestImportRules(t *testing.T) {
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"js/page/panes.js", "js/core/dom.js", true},
		{"js/page/timeline/rows.js", "js/page/player.js", true},
		{"js/page/panes.js", "js/compare/compare-pane.js", false}, // was imported on demand once
		{"js/edit/editor.js", "js/share/share.js", false},         // in one layer
		{"js/picture/rows.js", "js/lab.js", false},
		{"js/lab.js", "js/edit/lanes.js", true},
		{"js/elsewhere/a.js", "js/core/dom.js", false},
	} {
		if fault := upward(c.from, c.to); (fault == "") != c.ok {
			t.Errorf("%s → %s: %q", c.from, c.to, fault)
		}
	}
	if got := cycleIn(map[string][]string{"a": {"b", "c"}, "b": {"c"}, "c": nil}); got != nil {
		t.Errorf("cycle %q in a graph without one", got)
	}
	if got, want := cycleIn(map[string][]string{"a": {"b"}, "b": {"c", "d"}, "d": {"b"}}), []string{"b", "d", "b"}; !slices.Equal(got, want) {
		t.Errorf("cycle %q, want %q", got, want)
	}
}

// exported matches the name of an exported declaration.
var exported = regexp.MustCompile(`(?m)^export (?:async )?(?:function\*?|const|let|class) (\w+)`)

// TestExportsAreUsed finds exported names that occur in no other module, and in no test that runs in a
// browser or in Node.
func TestExportsAreUsed(t *testing.T) {
	users := map[string][]string{} // files by the words in them
	note := func(file, text string) {
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(text, -1) {
			if files := users[word]; len(files) == 0 || files[len(files)-1] != file {
				users[word] = append(files, file)
			}
		}
	}
	for _, name := range everyModule() {
		note(name, read(t, name))
	}
	for _, pattern := range []string{"../internal/e2e/*_test.go", "../internal/scripttest/*_test.go", "../internal/scripttest/testdata/*.js"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			note(file, string(text))
		}
	}
	found := 0
	for _, name := range everyModule() {
		for _, m := range exported.FindAllStringSubmatch(read(t, name), -1) {
			if found++; len(users[m[1]]) == 1 {
				t.Errorf("%s exports %s, which nothing imports", name, m[1])
			}
		}
	}
	if found < 100 {
		t.Errorf("%d exports found", found)
	}
}
