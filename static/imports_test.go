package static

import (
	"slices"
	"strings"
	"testing"
)

func TestRewriteImports(t *testing.T) {
	const text = `// import "./comment.js"
/** @typedef {import("./type.js").T} T */
import { a } from "./a.js";
import "../b.js"; // import("./comment.js")
export { c } from "./in/c.js";
const d = () => import("./d.js").then((m) => m.d);
const url = "https://example.com/"; import ( "./e.js" );
`
	var paths, dynamic []string
	got := RewriteImports(text, func(p string, d bool) string {
		paths = append(paths, p)
		if d {
			dynamic = append(dynamic, p)
		}
		return "x:" + p
	})
	if want := []string{"./a.js", "../b.js", "./in/c.js", "./d.js", "./e.js"}; !slices.Equal(paths, want) {
		t.Errorf("imports %q, want %q", paths, want)
	}
	if want := []string{"./d.js", "./e.js"}; !slices.Equal(dynamic, want) {
		t.Errorf("dynamic imports %q, want %q", dynamic, want)
	}
	if n := strings.Count(got, "x:"); n != len(paths) || strings.ReplaceAll(got, "x:", "") != text {
		t.Errorf("%d paths replaced, want %d, in\n%s", n, len(paths), got)
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

// TestFirstPaintNeedsFewModules: a static import of a module that is only needed on demand would
// make every visit slower.
func TestFirstPaintNeedsFewModules(t *testing.T) {
	onDemand := []string{"js/compare/", "js/film/", "js/knowledge/", "js/lessons/", "js/live/", "js/making/", "js/offline/", "js/share/", "js/vendor/", "js/worker/"}
	for _, name := range Modules() {
		if slices.ContainsFunc(onDemand, func(folder string) bool { return strings.HasPrefix(name, folder) }) {
			t.Errorf("%s is needed for the first paint", name)
		}
	}
	if !slices.Contains(Modules(), firstModule) || len(Modules()) < 50 {
		t.Errorf("%d modules: %q", len(Modules()), Modules())
	}
}
