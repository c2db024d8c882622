package static

import (
	"bytes"
	"path"
	"strings"
)

// vendored is the folder of third-party files. withoutComments keeps their comments, such as licences.
const vendored = "js/vendor/"

// withoutComments returns data, the content of the named module or style sheet, with an empty line in place of each
// line that contains only a comment. A quarter of the text of these files is comments, which a page need not load.
// Line numbers do not change. Comments after code remain, as do all lines of template literals.
func withoutComments(name string, data []byte) []byte {
	kind := path.Ext(name)
	if kind != ".js" && kind != ".css" || strings.HasPrefix(name, vendored) {
		return data
	}
	var out []byte
	comment, literal := false, false
	for line := range bytes.Lines(data) {
		text := bytes.TrimSpace(line)
		starts := !literal && !comment && bytes.HasPrefix(text, []byte("/*")) && commentAlone(text)
		switch {
		case comment || starts:
			comment = !bytes.HasSuffix(text, []byte("*/"))
			line = []byte("\n")
		case kind == ".js" && !literal && bytes.HasPrefix(text, []byte("//")):
			line = []byte("\n")
		case kind == ".js" && (bytes.Count(line, []byte("`"))-bytes.Count(line, []byte("\\`")))%2 == 1:
			literal = !literal
		}
		out = append(out, line...)
	}
	return out
}

// commentAlone reports whether line contains nothing but a comment. line must begin with a comment, which code may
// follow.
func commentAlone(line []byte) bool {
	end := bytes.Index(line, []byte("*/"))
	return end < 0 || end == len(line)-len("*/")
}
