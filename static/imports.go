//go:build !js || full

package static

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"sync"
)

// Script is the name of the script of the laboratory. The parts that are imported on demand are beside it.
const Script = "bundle/lab/app.js"

// Modules returns the names of the scripts that the laboratory needs for the first paint, so that a page can preload
// them: Script and what it imports statically. The result must not be modified.
var Modules = sync.OnceValue(func() []string { return Closure(Script) })

// Names returns the names of all files that pages of the static site may load.
func Names() []string {
	names := []string{Sheet, EntrySheet}
	walk(func(name string, _ []byte) { names = append(names, name) })
	return names
}

// importOrComment matches a comment, or an import of a module by its relative path. The forms of an import
// are `from "./x.js"`, `import "./x.js"` and `import("./x.js")`. A type in a comment, such as
// `import("./x.js").T`, is part of the comment.
var importOrComment = regexp.MustCompile(`(?s)/\*.*?\*/|(?m:(?:^|\s)//[^\n]*$)|\b(?:from\s*|import\s*(\(\s*)?)"(\.{1,2}/[^"]+)"`)

// imports lists the modules that a module imports statically and dynamically, as file names in [FS].
type imports struct{ static, dynamic []string }

// importsOf returns the imports in text, the content of the named module, without types in comments.
func importsOf(name, text string) imports {
	var found imports
	for _, m := range importOrComment.FindAllStringSubmatch(text, -1) {
		switch to := path.Join(path.Dir(name), m[2]); {
		case m[2] == "": // a comment
		case m[1] != "":
			found.dynamic = append(found.dynamic, to)
		default:
			found.static = append(found.static, to)
		}
	}
	return found
}

// Closure returns the names of a module and of all modules that it imports statically, directly or indirectly,
// in alphabetical order. The parameter first is the name of the module.
func Closure(first string) []string { return closure(files, first) }

// closure is like Closure for the modules in files. It panics if one of the modules is missing, which would be
// a bug in this package, because the files are embedded.
func closure(files fs.FS, first string) []string {
	names := []string{first}
	for i := 0; i < len(names); i++ {
		data, err := fs.ReadFile(files, names[i])
		if err != nil {
			panic("static: " + err.Error())
		}
		for _, name := range importsOf(names[i], string(data)).static {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}
