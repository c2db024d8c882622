package lab

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// fmtWidth is the maximum length, in characters, of a line on which fmt puts a whole object or list.
const fmtWidth = 140

// layout reads JSON from in and appends it, indented, to out.
type layout struct {
	in  *jsontext.Decoder
	out bytes.Buffer
}

// layOut formats the JSON document data. It writes each object or list on one line if the line has at most
// fmtWidth characters. The text of strings and numbers is unchanged.
func layOut(data []byte) ([]byte, error) {
	l := &layout{in: jsontext.NewDecoder(bytes.NewReader(data), jsontext.PreserveRawStrings(true))}
	value, err := l.in.ReadValue()
	if err != nil {
		return nil, err
	}
	l.value(value, 0, 0, true)
	l.out.WriteByte('\n')
	return l.out.Bytes(), nil
}

// value appends v to the current line and, if v does not fit, to further lines. depth is the number of levels
// by which the current line is indented, and used is the number of characters that it already contains. If
// outer is true, v is the outermost value of the document; an outermost object or list is put on one line
// only if it is empty.
func (l *layout) value(v jsontext.Value, depth, used int, outer bool) {
	line := oneLineJSON(v)
	kind := v.Kind()
	if kind != '{' && kind != '[' || !outer && used+utf8.RuneCountInString(line) < fmtWidth || line == "{}" || line == "[]" {
		l.out.WriteString(line)
		return
	}
	l.out.WriteByte(byte(kind))
	separator := ""
	indent := strings.Repeat("  ", depth+1)
	for _, part := range parts(v) {
		l.out.WriteString(separator + "\n" + indent)
		l.out.WriteString(part.name)
		l.value(part.value, depth+1, len(indent)+utf8.RuneCountInString(part.name), false)
		separator = ","
	}
	l.out.WriteString("\n" + strings.Repeat("  ", depth))
	l.out.WriteByte(map[jsontext.Kind]byte{'{': '}', '[': ']'}[kind])
}

// part is an element of a list, or a field of an object. For a field, name is the name of the field as written,
// followed by a colon and a space.
type part struct {
	name  string
	value jsontext.Value
}

// parts returns the fields of v, an object, or the elements of v, a list. v must be valid JSON.
func parts(v jsontext.Value) (list []part) {
	d := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowDuplicateNames(true))
	_, _ = d.ReadToken()
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		var p part
		if v.Kind() == '{' {
			name, err := d.ReadValue()
			if err != nil {
				return list
			}
			p.name = string(name) + ": "
		}
		value, err := d.ReadValue()
		if err != nil {
			return list
		}
		p.value = value.Clone()
		list = append(list, p)
	}
	return list
}

// oneLineJSON returns v on one line, with a space after each comma and colon.
func oneLineJSON(v jsontext.Value) string {
	v = v.Clone()
	_ = v.Format(jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true), jsontext.PreserveRawStrings(true), jsontext.Multiline(false))
	return string(v)
}
