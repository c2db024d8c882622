package static

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"testing"
)

// The script of the laboratory is preloaded with all that it imports before the first paint, and every other file beside
// it is imported on demand.
func TestScriptOfTheLaboratory(t *testing.T) {
	first := Modules()
	var all bytes.Buffer
	for _, name := range named("bundle/lab/", ".js") {
		data, ok := File(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		all.Write(data)
	}
	imported := map[string]bool{"app.js": true, "site-app.js": true, "site-recorded.js": true}
	for _, m := range regexp.MustCompile(`(?:from|import)\(?"\./([^"]+)"`).FindAllSubmatch(all.Bytes(), -1) {
		imported[string(m[1])] = true
	}
	for _, name := range named("bundle/lab/", ".js") {
		if !imported[path.Base(name)] {
			t.Errorf("nothing imports %s", name)
		}
	}
	if len(first) < 2 || !slices.Contains(first, Script) || len(first) > len(imported)/2 {
		t.Errorf("%d of %d scripts are preloaded: %s", len(first), len(imported), first)
	}
	for _, name := range Names() {
		if _, ok := File(name); !ok {
			t.Errorf("there is no %s", name)
		}
	}
}
