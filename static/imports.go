//go:build !js || full

package static

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Script is the name of the script of the laboratory. The parts that are imported on demand are beside it.
const Script = "bundle/lab/app.js"

// Modules returns the names of the scripts that the laboratory needs for the first paint, so that a page can preload
// them: Script and what it imports statically. The result must not be modified.
var Modules = sync.OnceValue(func() []string { return Closure(Script) })

// Names returns the names of all files that pages of the static site may load.
func Names() []string {
	names := []string{Sheet}
	walk(func(name string, _ []byte) { names = append(names, name) })
	return names
}

// importOrComment matches a comment, or an import of a module by its relative path. The forms of an import
// are `from "./x.js"`, `import "./x.js"` and `import("./x.js")`. A type in a comment, such as
// `import("./x.js").T`, is part of the comment.
var importOrComment = regexp.MustCompile(`(?s)/\*.*?\*/|(?m:(?:^|\s)//[^\n]*$)|\b(?:from\s*|import\s*(\(\s*)?)"(\.{1,2}/[^"]+)"`)

// RewriteImports returns text, the content of a module, with the path of each import replaced by the result of rewrite.
// It calls rewrite for each import, in the order of the text. The argument path is the path as written, such as
// "./dom.js" or "../core/dom.js"; dynamic reports whether it is the argument of import(). Comments remain unchanged,
// even if they contain a type such as import("./dom.js").T.
func RewriteImports(text string, rewrite func(path string, dynamic bool) string) string {
	var b strings.Builder
	end := 0
	for _, m := range importOrComment.FindAllStringSubmatchIndex(text, -1) {
		dynamic, from, to := m[2] >= 0, m[4], m[5]
		if from < 0 {
			continue // a comment
		}
		b.WriteString(text[end:from])
		b.WriteString(rewrite(text[from:to], dynamic))
		end = to
	}
	b.WriteString(text[end:])
	return b.String()
}

// imports lists the modules that a module imports statically and dynamically, as file names in [FS].
type imports struct{ static, dynamic []string }

// importsOf returns the imports in text, the content of the named module.
func importsOf(name, text string) imports {
	var found imports
	RewriteImports(text, func(p string, dynamic bool) string {
		list := &found.static
		if dynamic {
			list = &found.dynamic
		}
		*list = append(*list, path.Join(path.Dir(name), p))
		return p
	})
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
