//go:build !js || full

package static

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// labScript is the name of the script that contains the modules of the lab page. Each module is a block of the script,
// and the blocks are in the order in which the modules are evaluated. The script's labModules object maps the name of
// each module to an object with the exports of the module.
const labScript = labFolder + "app.js"

// siteModule is the name of the module that is the entry point of the pages of the static site. The modules
// that it imports are evaluated before labScript.
const siteModule = "js/site-app.js"

// importForm and exportForm match the import and export statements of modules. TestLabScript checks that the modules
// in labScript use no other forms, and that their imports come first.
var (
	importForm = regexp.MustCompile(`(?m)^import (\{[^}]*\}|\* as \w+) from "([^"]+)";`)
	exportForm = regexp.MustCompile(`^export (?:async )?(?:function|class|const) (\w+)`)
)

// inLab returns the name of the file in labFolder that corresponds to the named file in js/. For example, it returns
// "lab/story/log.js" for "js/story/log.js".
func inLab(name string) string { return labFolder + strings.TrimPrefix(name, "js/") }

// labModules returns the names of the modules in labScript, in the order in which they are evaluated.
var labModules = sync.OnceValue(func() (order []string) {
	visited := Closure(siteModule)
	var visit func(name string)
	visit = func(name string) {
		if slices.Contains(visited, name) {
			return
		}
		visited = append(visited, name)
		imports, _ := splitImports(moduleText(name))
		for _, m := range importForm.FindAllStringSubmatch(imports, -1) {
			visit(path.Join(path.Dir(name), m[2]))
		}
		order = append(order, name)
	}
	visit(firstModule)
	return order
})

// shared returns the names of the modules in js/core that siteModule imports, directly or indirectly.
// labScript does not contain these modules but imports them.
func shared() []string {
	return slices.DeleteFunc(Closure(siteModule), func(name string) bool { return !strings.HasPrefix(name, "js/core/") })
}

// moduleText returns the text of the named module as it is served, that is, with an empty line in place of each line
// that contains only a comment.
func moduleText(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic("static: " + err.Error()) // the files are embedded, so that is a bug in this package
	}
	return string(withoutComments(name, data))
}

// splitImports splits the text of a module after its last import statement. If there is none, imports is "" and rest is
// text.
func splitImports(text string) (imports, rest string) {
	last := strings.LastIndex("\n"+text, "\nimport ")
	if last < 0 {
		return "", text
	}
	end := last + strings.Index(text[last:], ";") + 1
	return text[:end], text[end:]
}

// exportsOf returns the names that the text of a module exports, separated by commas.
func exportsOf(text string) string {
	var names []string
	for line := range strings.Lines(text) {
		if m := exportForm.FindStringSubmatch(line); m != nil {
			names = append(names, m[1])
		}
	}
	return strings.Join(names, ", ")
}

// linked returns the content of labScript.
var linked = sync.OnceValue(func() []byte {
	var b strings.Builder
	fmt.Fprintln(&b, "export const labModules = {};")
	for i, name := range shared() {
		fmt.Fprintf(&b, "import * as shared%d from %q;\nlabModules[%q] = shared%d;\n", i, "./"+strings.TrimPrefix(name, "js/"), name, i)
	}
	for _, name := range labModules() {
		text := moduleText(name)
		fmt.Fprintf(&b, "{ // %s\n%s\nlabModules[%q] = { %s };\n}\n", name, block(name, text), name, exportsOf(text))
	}
	return []byte(b.String())
})

// block returns the named module, whose content is text, as a block of labScript. In the block, imports are
// replaced with constants whose values are taken from labModules, and nothing is exported.
func block(name, text string) string {
	imports, rest := splitImports(text)
	imports = importForm.ReplaceAllStringFunc(imports, func(statement string) string {
		m := importForm.FindStringSubmatch(statement)
		names := strings.ReplaceAll(strings.TrimPrefix(m[1], "* as "), " as ", ": ")
		return fmt.Sprintf("const %s = labModules[%q];", names, path.Join(path.Dir(name), m[2]))
	})
	rest = strings.ReplaceAll(rest, "\nexport ", "\n")
	if strings.Contains(rest, `import("`) { // on demand, or a type in a comment
		rest = RewriteImports(rest, func(to string, _ bool) string {
			return "./" + strings.TrimPrefix(path.Join(path.Dir(name), to), "js/")
		})
	}
	text = imports + rest
	return strings.ReplaceAll(text, "import.meta.url", fmt.Sprintf("new URL(%q, import.meta.url)", "./"+strings.TrimPrefix(name, "js/")))
}

// labFile returns the content of a file in labFolder and reports whether the file exists. name is the name of the file,
// such as "lab/story/log.js".
func labFile(name string) ([]byte, bool) {
	if name == labScript {
		return linked(), true
	}
	below := strings.TrimPrefix(name, labFolder)
	module := "js/" + below
	if !slices.Contains(labModules(), module) {
		return File(module)
	}
	up := cmp.Or(strings.Repeat("../", strings.Count(below, "/")), "./")
	return fmt.Appendf(nil, "import { labModules } from \"%sapp.js\";\nexport const { %s } = labModules[%q];\n", up, exportsOf(moduleText(module)), module), true
}

// Modules returns the names of the scripts that the lab page of a server needs for the first paint, so that
// the page can preload them. The result must not be modified.
var Modules = sync.OnceValue(func() []string {
	names := []string{labScript}
	for _, name := range shared() {
		names = append(names, inLab(name))
	}
	return names
})

// Names returns the names of all files that pages may load.
func Names() []string {
	names := append([]string{Sheet}, labNames()...)
	walk(func(name string, _ []byte) { names = append(names, name) })
	return names
}

// labNames returns the names of the files of labFolder that pages load: labScript, the modules that siteModule
// imports, the modules that are imported dynamically, the script of the web worker that runs the engine of the static
// site, and the library uPlot.
func labNames() []string {
	names := []string{labScript, inLab("js/site/worker.js")}
	for _, name := range named("js/vendor/uplot/", "") {
		names = append(names, inLab(name))
	}
	wanted := Closure(siteModule)
	for _, name := range labModules() {
		wanted = append(wanted, importsOf(name, moduleText(name)).dynamic...)
	}
	for i := 0; i < len(wanted); i++ {
		name := wanted[i]
		if slices.Contains(names, inLab(name)) {
			continue
		}
		names = append(names, inLab(name))
		if found := importsOf(name, moduleText(name)); !slices.Contains(labModules(), name) {
			wanted = slices.Concat(wanted, found.static, found.dynamic)
		}
	}
	return names
}
