// Package static holds what the browser is given besides the page itself: ES
// modules, the style sheet, the icon, and the catalogue of texts. Everything is
// embedded; nothing is fetched from elsewhere and nothing is built.
//
// Files are served below a path that carries a hash of them all
// ("static/1f2e3d4c5b6a/js/app.js"), so that they can be cached for ever and the
// modules' relative imports stay within one version.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed js css knowledge icon.svg
var files embed.FS

// FS is the tree of files that may be served: js/ and css/ with a folder a subject,
// knowledge/ with a file an algorithm, icon.svg.
func FS() fs.FS { return files }

// Prefix is the first segment of every asset's path.
const Prefix = "static"

// Path is where the file called name ("js/app.js") is served, below the base
// path and without a leading slash: "static/HASH/js/app.js".
func Path(name string) string { return path.Join(Prefix, Hash(), name) }

// Name finds the file behind a path that [Path] gave. It is false for a path of
// another version or of another place: such a file is not to be cached.
func Name(p string) (string, bool) {
	rest, ok := strings.CutPrefix(p, Prefix+"/"+Hash()+"/")
	return rest, ok && rest != ""
}

// Hash is the version of all files: 12 hexadecimal digits of a SHA-256 over
// their names and contents.
var Hash = sync.OnceValue(func() string {
	sum := sha256.New()
	walk(func(name string, data []byte) {
		sum.Write([]byte(name))
		sum.Write([]byte{0})
		sum.Write(data)
	})
	return hex.EncodeToString(sum.Sum(nil))[:12]
})

// Styles names the style sheets in the order in which they count: page.css, which
// has what all share, then the subjects in order of name.
var Styles = sync.OnceValue(func() []string {
	const first = "css/page.css"
	rest := slices.DeleteFunc(named("css/", ".css"), func(name string) bool { return name == first })
	return append([]string{first}, rest...)
})

// Sheet is the name under which all style sheets are served as one: twenty requests
// would be answered before anything is painted.
const Sheet = "css/all.css"

// sheet is every style sheet, in the order in which they count.
var sheet = sync.OnceValue(func() []byte {
	var all []byte
	for _, name := range Styles() {
		data, err := files.ReadFile(name)
		if err != nil {
			panic("static: " + err.Error())
		}
		all = append(all, data...)
	}
	return all
})

// File gives the content of what is served under a name: a file of [FS], or [Sheet].
// It is false where there is none.
func File(name string) ([]byte, bool) {
	if name == Sheet {
		return sheet(), true
	}
	data, err := files.ReadFile(name)
	return data, err == nil
}

// named lists the files below a folder, in order of name.
func named(folder, ending string) []string {
	var names []string
	walk(func(name string, _ []byte) {
		if strings.HasPrefix(name, folder) && strings.HasSuffix(name, ending) {
			names = append(names, name)
		}
	})
	return names
}

// walk visits every embedded file in order of name. Reading an embedded file
// cannot fail, so an error is a mistake of this package.
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
