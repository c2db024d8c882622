package tracefile

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	lineShownMax    = 400 // maximum number of bytes in a line that Diff.Shown returns
	explainedMax    = 3   // maximum number of differing fields that Diff.Explain describes
	lineFieldsMax   = 64  // maximum number of fields of a line that lineFieldsOf returns; a valid trace line has fewer
	valueShownMax   = 80  // maximum number of bytes in a field's value that Diff.Explain shows
	fieldAbsent     = "absent"
	whereUnreadable = "the lines differ from byte %d on"
)

// Explain returns a one-line description of d: the fields that differ, with their values in the trace and in the run,
// and the tick, lane and timer of the event.
func (d *Diff) Explain() string {
	if d.Line == 1 {
		return explainHeader(d.Got, d.Want)
	}
	got, want := lineFieldsOf(d.Got), lineFieldsOf(d.Want)
	if got == nil || want == nil {
		return fmt.Sprintf(whereUnreadable, commonPrefix(d.Got, d.Want)+1)
	}
	switch gotEnd, wantEnd := hasEndPrefix(d.Got), hasEndPrefix(d.Want); {
	case gotEnd && !wantEnd:
		return "the trace ends here, the run goes on with " + want.value("kind") + want.where(nil)
	case wantEnd && !gotEnd:
		return "the run ends here, the trace goes on with " + got.value("kind") + got.where(nil)
	}
	names := differingFields(got, want)
	if len(names) == 0 {
		return fmt.Sprintf(whereUnreadable, commonPrefix(d.Got, d.Want)+1)
	}
	var parts []string
	for _, name := range names[:min(len(names), explainedMax)] {
		parts = append(parts, explainField(name, got.value(name), want.value(name)))
	}
	return strings.Join(parts, "; ") + want.where(names)
}

// explainField returns a description of the difference between the values of the named field in the trace (got)
// and in the run (want). The value of a missing field is fieldAbsent.
func explainField(name, got, want string) string {
	switch {
	case got == fieldAbsent:
		return fmt.Sprintf("%s is absent, the run has %s", name, want)
	case want == fieldAbsent:
		return fmt.Sprintf("%s is %s, the run has none", name, got)
	}
	return fmt.Sprintf("%s is %s, the run has %s", name, got, want)
}

// Shown returns, for display, the line that differs as it is in the trace (got) and in the run (want). If got or want
// is longer than lineShownMax bytes, Shown returns only the part of each around the first byte that differs, with an
// ellipsis for omitted text.
func (d *Diff) Shown() (got, want string) {
	if max(len(d.Got), len(d.Want)) <= lineShownMax {
		return d.Got, d.Want
	}
	from := max(0, commonPrefix(d.Got, d.Want)-lineShownMax/2)
	return lineFrom(d.Got, from), lineFrom(d.Want, from)
}

// lineFrom returns at most lineShownMax bytes of line, beginning at offset from, with an ellipsis for omitted
// text.
func lineFrom(line string, from int) string {
	from = min(from, len(line))
	to := min(len(line), from+lineShownMax)
	text := strings.ToValidUTF8(line[from:to], "")
	if from > 0 {
		text = "…" + text
	}
	if to < len(line) {
		text += "…"
	}
	return text
}

// commonPrefix returns the number of leading bytes that a and b share.
func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// namedValue is a field of a line. A field of a nested object has a name such as "from.level".
type namedValue struct{ name, value string }

type namedValues []namedValue

// value returns the text of the value of the field with the given name, or "absent" if there is no such
// field.
func (v namedValues) value(name string) string {
	for i := range v {
		if v[i].name == name {
			return v[i].value
		}
	}
	return fieldAbsent
}

// where returns the tick, the lane and the timer of an event in parentheses. It omits the fields whose names
// are in except.
func (v namedValues) where(except []string) string {
	var parts []string
	for _, f := range []struct{ name, label string }{{"tick", "tick "}, {"lane", "lane "}, {"timer", ""}} {
		if value := v.value(f.name); value != fieldAbsent && !slices.Contains(except, f.name) {
			parts = append(parts, f.label+value)
		}
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// differingFields returns the names of the fields that have different values in got and want: first those in
// want, in order, and then those that occur only in got. If the events are of different kinds, it omits the
// fields that only some kinds of events have, except "timer".
func differingFields(got, want namedValues) []string {
	var names []string
	for _, f := range slices.Concat(want, got) {
		if got.value(f.name) != want.value(f.name) && !slices.Contains(names, f.name) {
			names = append(names, f.name)
		}
	}
	if slices.Contains(names, "kind") {
		names = slices.DeleteFunc(names, func(name string) bool {
			return !slices.Contains([]string{"seq", "tick", "lane", "kind", "timer"}, name)
		})
	}
	return names
}

// lineFieldsOf returns the fields of an event line or an end line. It returns nil if line is not a
// JSON object with at most lineFieldsMax fields.
func lineFieldsOf(line string) namedValues {
	dec := jsontext.NewDecoder(strings.NewReader(line), jsontext.AllowInvalidUTF8(true))
	var fields namedValues
	for {
		token, err := dec.ReadToken()
		if err == io.EOF && len(fields) > 0 {
			return fields
		}
		if err != nil || len(fields) > lineFieldsMax {
			return nil
		}
		if kind, n := dec.StackIndex(dec.StackDepth()); kind == '{' && n%2 == 0 && n > 0 { // after a value
			if token.Kind() != '}' {
				fields = append(fields, namedValue{fieldPath(dec.StackPointer()), shownValue(token)})
			}
		}
	}
}

// listIndex matches the index of a list element in a path, such as ".3".
var listIndex = regexp.MustCompile(`\.(\d+)\b`)

// fieldPath converts the JSON pointer p to the form used in error messages, such as
// "scenario.lanes[0].slots".
func fieldPath(p jsontext.Pointer) string {
	return listIndex.ReplaceAllString(strings.Join(slices.Collect(p.Tokens()), "."), "[$1]")
}

// plain matches a string value that can be shown in a message without quotes.
var plain = regexp.MustCompile(`^[\pL\pN_@./:+-]+$`)

// shownValue returns the value of token for a message, shortened to valueShownMax bytes. A string is in
// quotes unless it is plain.
func shownValue(token jsontext.Token) string {
	text := token.String()
	if len(text) > valueShownMax {
		text = strings.ToValidUTF8(text[:valueShownMax], "") + "…"
	}
	if token.Kind() == '"' && !plain.MatchString(text) {
		quoted, _ := jsontext.AppendQuote(nil, text)
		return string(quoted)
	}
	return text
}

// explainHeader returns a description of the first difference between got, the header line of the trace, and want, the
// header line of the run.
func explainHeader(got, want string) string {
	at := commonPrefix(got, want) + 1
	a := jsontext.NewDecoder(strings.NewReader(got), jsontext.AllowInvalidUTF8(true))
	b := jsontext.NewDecoder(strings.NewReader(want), jsontext.AllowInvalidUTF8(true))
	for {
		x, errX := a.ReadToken()
		y, errY := b.ReadToken()
		if errX != nil || errY != nil {
			return fmt.Sprintf("the header is written differently from byte %d on", at)
		}
		if x.Kind() == y.Kind() && x.String() == y.String() {
			continue
		}
		return fmt.Sprintf("the header differs from byte %d on: %s", at, explainTokens(a, b, x, y))
	}
}

// explainTokens returns a description of the difference between two JSON tokens: x, which has just been read from a,
// the header line of the trace, and y, which has just been read from b, the header line of the run.
func explainTokens(a, b *jsontext.Decoder, x, y jsontext.Token) string {
	path := fieldPath(b.StackPointer())
	scalar := func(t jsontext.Token) bool { return !bytes.ContainsRune([]byte("{}[]"), rune(t.Kind())) }
	kind, n := b.StackIndex(b.StackDepth())
	switch {
	case kind == '{' && n%2 == 1 && scalar(x) && scalar(y): // names of fields
		return fmt.Sprintf("the trace has %s, the run has %s", fieldPath(a.StackPointer()), path)
	case scalar(x) && scalar(y):
		return fmt.Sprintf("%s is %s, the run has %s", path, shownValue(x), shownValue(y))
	case x.Kind() == ']' || x.Kind() == '}':
		return fmt.Sprintf("%s ends in the trace and goes on in the run", fieldPath(a.StackPointer()))
	case y.Kind() == ']' || y.Kind() == '}':
		return fmt.Sprintf("%s ends in the run and goes on in the trace", path)
	}
	return path
}
