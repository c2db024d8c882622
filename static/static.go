// Package static contains the files that pages load: ES modules, style sheets, the icon, descriptions of
// the algorithms, and the texts. All of them are embedded; pages load nothing from elsewhere. The style sheets are
// served as one file, and so are the modules that the laboratory always needs.
//
// The path of a file contains a hash of all files ("static/1f2e3d4c5b6a/js/app.js"), so that browsers may cache
// files indefinitely, and relative imports of modules stay within one version.
package static

//go:generate go tool -modfile=../tools.mod esbuild entry=js/entry/main.js race=js/race/main.js --bundle --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=none --log-level=warning --outdir=bundle
//go:generate rm -rf bundle/lab
//go:generate go tool -modfile=../tools.mod esbuild app=js/lab.js js/site-app.js js/site-recorded.js --bundle --splitting --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=none --log-level=warning --outdir=bundle/lab
//go:generate go tool -modfile=../tools.mod esbuild js/file-app.js js/file-entry.js --bundle --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=none --log-level=warning "--define:import.meta.url=\"https://wheelscope.invalid/bundle/lab/file-app.js\"" --outdir=bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

// FS returns the files that may be served: js/ and css/ with one folder per subject, bundle/ with the modules of the entry view and of a page that is a single file as one file each and those of the laboratory in few, knowledge/ with one file
// per algorithm, and icon.svg.
func FS() fs.FS { return files }

// Prefix is the first segment of the URL path of each file.
const Prefix = "static"

// Path returns the URL path of the named file, for example "static/HASH/js/app.js" for "js/app.js". It is
// relative to the base path, which is the path of the server's or the site's pages.
func Path(name string) string { return path.Join(Prefix, Hash(), name) }

// Name returns the name of the file with the URL path p. It is the inverse of [Path]. The boolean result is false
// if p does not contain the current hash, for example because p comes from another version of the program. Name
// does not check that the file exists.
func Name(p string) (string, bool) {
	rest, ok := strings.CutPrefix(p, Prefix+"/"+Hash()+"/")
	return rest, ok && rest != ""
}

// Hash returns the version of all files: the first 12 hexadecimal digits of the SHA-256 of their
// names and contents.
var Hash = sync.OnceValue(func() string {
	sum := sha256.New()
	walk(func(name string, data []byte) {
		sum.Write([]byte(name))
		sum.Write([]byte{0})
		sum.Write(data)
	})
	return hex.EncodeToString(sum.Sum(nil))[:12]
})

// A page loads one style sheet, which has the content of several files, in cascade order, so that it loads no other before
// the first paint. Sheet is that of all pages except the entry view and the race, which have EntrySheet.
const (
	Sheet      = "css/all.css"
	EntrySheet = "css/simple.css"
)

// Styles returns the names of the files in Sheet: css/base.css, css/page.css, and then the others in alphabetical order.
var Styles = sync.OnceValue(func() []string {
	first := []string{"css/base.css", "css/page.css"}
	rest := slices.DeleteFunc(named("css/", ".css"), func(name string) bool {
		return slices.Contains(first, name) || name == "css/entry.css" || name == "css/race.css"
	})
	return append(first, rest...)
})

// sheets contains the files of each style sheet.
var sheets = sync.OnceValue(func() map[string][]string {
	return map[string][]string{Sheet: Styles(), EntrySheet: {"css/base.css", "css/colours.css", "css/timers.css", "css/entry.css", "css/race.css"}}
})

// sheetIn returns the content of a style sheet from the files in folder. It reports whether there is such a sheet.
func sheetIn(folder fs.FS, sheet string) ([]byte, bool) {
	var all []byte
	list, ok := sheets()[sheet]
	for _, name := range list {
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, false
		}
		all = append(all, data...)
	}
	return all, ok
}

// entryPoints maps the bundles that pages load to the modules from which they are made.
var entryPoints = map[string]string{"bundle/entry.js": "js/entry/main.js", "bundle/race.js": "js/race/main.js", "bundle/lab/app.js": "js/lab.js"}

// Source returns the content of the named file for developers, from a folder with the source of this package: a module or
// style sheet, or for a bundle an import of the module from which it is made. It reports whether there is such a file.
func Source(folder fs.FS, name string) ([]byte, bool) {
	if module, ok := entryPoints[name]; ok {
		return fmt.Appendf(nil, "import %q;\n", strings.Repeat("../", strings.Count(name, "/"))+module), true
	}
	if data, ok := sheetIn(folder, name); ok {
		return data, true
	}
	data, err := []byte(nil), fs.ErrNotExist
	if strings.HasPrefix(name, "js/") || strings.HasPrefix(name, "css/") {
		data, err = fs.ReadFile(folder, name)
	}
	return data, err == nil
}

// File returns the content of the named file as it is served and reports whether the file exists. The name is
// that of a file in [FS], [Sheet] or [EntrySheet].
func File(name string) ([]byte, bool) {
	if data, ok := sheetIn(files, name); ok {
		return data, true
	}
	data, err := files.ReadFile(name)
	return data, err == nil
}

// named returns the names of the files below folder with the given ending, in alphabetical order.
func named(folder, ending string) []string {
	var names []string
	walk(func(name string, _ []byte) {
		if strings.HasPrefix(name, folder) && strings.HasSuffix(name, ending) {
			names = append(names, name)
		}
	})
	return names
}

// walk calls visit for each embedded file, in alphabetical order. It panics if a file cannot be read, which would
// be a bug.
func walk(visit func(name string, data []byte)) {
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(name)
		if err == nil {
			visit(name, data)
		}
		return err
	})
	if err != nil {
		panic("static: " + err.Error())
	}
}
