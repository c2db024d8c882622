package static

import (
	"bytes"
	"path"
	"strings"
)

// vendored is the folder of files by others, which keep their comments, such as licences.
const vendored = "js/vendor/"

// withoutComments returns the content of a module or a style sheet with an empty line for each line
// of comments. A quarter of what a page loads would be comments; the numbers of lines remain those of
// the file. Comments beside code remain, too, and so do all lines of a template literal.
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

// commentAlone reports whether no code follows the comment at the start of a line in that line.
func commentAlone(line []byte) bool {
	end := bytes.Index(line, []byte("*/"))
	return end < 0 || end == len(line)-len("*/")
}
