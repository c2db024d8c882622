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
// make every visit slower. Of the folders of single features, the first paint needs these modules.
func TestFirstPaintNeedsFewModules(t *testing.T) {
	const first = " compare/run-verdict edit/editor inspect/inspect share/embed share/save-picture share/share share/share-mark "
	for _, name := range Modules() {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "js/"), ".js")
		if folder := topFolder(name); !slices.Contains([]string{"", "core", "state", "picture", "page", "story"}, folder) && !strings.Contains(first, " "+name+" ") {
			t.Errorf("%s is needed for the first paint", name)
		}
	}
	for name := range strings.FieldsSeq(first) {
		if !slices.Contains(Modules(), "js/"+name+".js") {
			t.Errorf("%s is not needed for the first paint", name)
		}
	}
}

// topFolder returns the first folder of a module's name below js/, "" if there is none.
func topFolder(name string) string {
	folder, _, found := strings.Cut(strings.TrimPrefix(name, "js/"), "/")
	if !found {
		return ""
	}
	return folder
}
