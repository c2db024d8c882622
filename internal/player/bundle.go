package player

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// firstModule is where the page's scripts begin.
const firstModule = "js/app.js"

// replaced are the modules in whose place others stand in a file: the socket, and the
// list of the page's parts.
var replaced = map[string]string{
	"js/connection.js": "js/offline/link.js",
	"js/features.js":   "js/offline/features.js",
}

// imports finds what a line imports: `from "./x.js"`, `import "./x.js"` and
// `import("./x.js")`. Types in comments (`import("./x.js").Y`) are none.
var imports = regexp.MustCompile(`(\bfrom |\bimport |\bimport\()"(\.{1,2}/[^"]+)"(\)\.|)`)

// bundle gives the text of a module and of all that it imports, by name. Modules keep
// their text but for addresses: one in a file has no folder, so they import each other
// by name.
func bundle(files fs.FS, first string) (map[string]string, error) {
	texts := map[string]string{}
	wanted := []string{first}
	for len(wanted) > 0 {
		name := wanted[len(wanted)-1]
		wanted = wanted[:len(wanted)-1]
		if _, ok := texts[moduleName(name)]; ok {
			continue
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("the page's modules: %w", err)
		}
		text, more := relink(name, string(data))
		texts[moduleName(name)] = text
		wanted = append(wanted, more...)
	}
	return texts, nil
}

// relink writes names for addresses in a module's text, and tells which files they are.
func relink(name, text string) (linked string, imported []string) {
	linked = imports.ReplaceAllStringFunc(text, func(found string) string {
		part := imports.FindStringSubmatch(found)
		if part[3] != "" {
			return found
		}
		target := path.Join(path.Dir(name), part[2])
		if other, ok := replaced[target]; ok {
			target = other
		}
		imported = append(imported, target)
		return part[1] + `"` + moduleName(target) + `"`
	})
	address := `"https://wheelscope.invalid/` + name + `"` // nothing is ever asked there: answers.js answers
	return strings.ReplaceAll(linked, "import.meta.url", address), imported
}

// moduleName is the name by which a file of static/ is imported in a bundle.
func moduleName(file string) string { return "wheelscope/" + strings.TrimPrefix(file, "js/") }
