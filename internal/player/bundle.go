package player

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/wheelscope/wheelscope/static"
)

// firstModule is the module that the page in an HTML player loads first.
const firstModule = "js/app.js"

// replaced maps modules of the lab page to the modules that replace them in an HTML player: the connection,
// and the list of features.
var replaced = map[string]string{
	"js/core/connection.js": "js/offline/link.js",
	"js/features.js":        "js/offline/features.js",
}

// bundle returns the texts of a module and of all modules that it imports, directly or indirectly, by module
// name. The parameter first is the name of the module's file. In an HTML player, modules are not files, so
// relative paths cannot be resolved. bundle therefore replaces the paths of imports with module names, and
// import.meta.url with an address that is never requested over the network.
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

// relink returns text, the content of the named module file, with the relative paths of imports replaced by
// module names, and import.meta.url replaced by an address that is never requested over the network. It also
// returns the names of the files that contain the imported modules.
func relink(name, text string) (linked string, imported []string) {
	linked = static.RewriteImports(text, func(imp string, _ bool) string {
		target := path.Join(path.Dir(name), imp)
		if other, ok := replaced[target]; ok {
			target = other
		}
		imported = append(imported, target)
		return moduleName(target)
	})
	address := `"https://wheelscope.invalid/` + name + `"` // never requested: answers.js answers in its place
	return strings.ReplaceAll(linked, "import.meta.url", address), imported
}

// moduleName returns the name by which a bundle imports the given file in static/, such as
// "wheelscope/core/dom.js" for "js/core/dom.js".
func moduleName(file string) string { return "wheelscope/" + strings.TrimPrefix(file, "js/") }
