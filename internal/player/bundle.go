package player

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// firstModule is the entry point of the page's scripts.
const firstModule = "js/app.js"

// replaced maps modules that a file replaces, the socket and the list of the page's parts, to
// their replacements.
var replaced = map[string]string{
	"js/connection.js": "js/offline/link.js",
	"js/features.js":   "js/offline/features.js",
}

// imports matches the imports of a line: `from "./x.js"`, `import "./x.js"` and
// `import("./x.js")`. Types in comments (`import("./x.js").Y`) are excluded.
var imports = regexp.MustCompile(`(\bfrom |\bimport |\bimport\()"(\.{1,2}/[^"]+)"(\)\.|)`)

// bundle returns the texts of a module and of all modules that it imports, by name. Modules in a
// file have no folder, so their relative imports are replaced by names; the rest of their text is
// unchanged.
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

// relink replaces the imports in a module's text by names, and returns the imported files.
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
	address := `"https://wheelscope.invalid/` + name + `"` // never requested: answers.js answers in its place
	return strings.ReplaceAll(linked, "import.meta.url", address), imported
}

// moduleName returns the name under which a file of static/ is imported in a bundle.
func moduleName(file string) string { return "wheelscope/" + strings.TrimPrefix(file, "js/") }
