package scenario

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// index matches the index of a list element in a path, such as "[3]".
var index = regexp.MustCompile(`\[(\d+)\]`)

// LineOf returns the number of the line, counting from 1, of the field at path in text, which is a scenario.
// If the field is missing, it returns the line of the innermost enclosing object that exists, or 0 if there
// is none.
func LineOf(text []byte, path string) int {
	text = bytes.TrimPrefix(text, byteOrderMark)
	want := "/" + strings.ReplaceAll(index.ReplaceAllString(path, ".$1"), ".", "/")
	dec := jsontext.NewDecoder(bytes.NewBuffer(text))
	best, at := -1, -1
	for {
		if _, err := dec.ReadToken(); err != nil {
			break
		}
		here := string(dec.StackPointer())
		if len(here) > best && (here == want || strings.HasPrefix(want, here+"/")) {
			best, at = len(here), int(dec.InputOffset())
		}
	}
	if at < 0 {
		return 0
	}
	return 1 + bytes.Count(text[:at], []byte("\n"))
}
