package scenario

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// pointerTo converts a path, such as "lanes[3].slots", to a JSON pointer.
func pointerTo(path string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(path, "[")
		b.WriteString(before)
		if !found {
			return "/" + strings.ReplaceAll(b.String(), ".", "/")
		}
		index, rest, closed := strings.Cut(after, "]")
		if !closed || index == "" || strings.Trim(index, "0123456789") != "" {
			b.WriteByte('[') // of a name
			path = after
			continue
		}
		b.WriteString("." + index)
		path = rest
	}
}

// LineOf returns the number of the line, counting from 1, of the field at path in text, which is a scenario.
// If the field is missing, it returns the line of the innermost enclosing object that exists, or 0 if there
// is none.
func LineOf(text []byte, path string) int {
	text = bytes.TrimPrefix(text, byteOrderMark)
	want := pointerTo(path)
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
