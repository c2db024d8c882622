// Package texts makes sentences for users from keys and arguments. A [Catalogue] contains the texts
// of one language by key; package [github.com/wheelscope/wheelscope/static] has catalogues in
// English and Chinese. A [Message] is a text without a language: a key and its arguments. Packages
// that compute something return messages, and the code that shows them renders them with a
// catalogue.
//
// In a text, {name} is replaced by the argument of that name, and {name|timer|timers} by the first
// word if the argument is 1, and otherwise by the second. static/js/core/texts.js fills in texts of
// the page by the same rule.
package texts

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Catalogue maps keys to texts in one language.
type Catalogue map[string]string

// Message is a text that can be shown in any language.
type Message struct {
	Key  string
	Args []any // alternating names and values, as for [Catalogue.T]
}

// Of returns the message with the given key. pairs contains the names and values of its arguments,
// alternately.
func Of(key string, pairs ...any) Message { return Message{key, pairs} }

// List is a list of values that is passed as one argument to a text. The formatted argument contains all items,
// separated by the text with the key Between.
type List struct {
	Between string // key of the text between two items, such as ", "
	Items   []any
}

// NewList returns a List of items. between is the key of the text between two items.
func NewList[T any](between string, items []T) List {
	l := List{Between: between}
	for _, item := range items {
		l.Items = append(l.Items, item)
	}
	return l
}

// Count is an argument of a text: a number that is formatted with commas between groups of three digits, such
// as 1,312. Positions such as ticks are passed as other integer types, which are formatted without commas.
type Count int64

func (n Count) String() string {
	text := strconv.FormatInt(int64(n), 10)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// field is a part of a text that is replaced by an argument or by a word. A field {name} is replaced by the
// argument of that name. A field {name|timer|timers} is replaced by "timer" if the argument is 1, and
// otherwise by "timers". static/js/core/texts.js uses the same syntax.
type field struct {
	from, to int // the field is text[from:to]
	name     string
	forms    []string // singular and plural form of a word; nil means that the field is replaced by its argument
}

// nextField returns the first field in text, such as {name} or {name|timer|timers}, and reports whether there
// is one.
func nextField(text string) (field, bool) {
	for at := 0; ; at++ {
		open := strings.IndexByte(text[at:], '{')
		if open < 0 {
			return field{}, false
		}
		at += open
		inside, _, closed := strings.Cut(text[at+1:], "}")
		if !closed {
			return field{}, false
		}
		parts := strings.Split(inside, "|")
		if len(parts) != 1 && len(parts) != 3 || parts[0] == "" || strings.ContainsFunc(parts[0], notInName) {
			continue
		}
		f := field{from: at, to: at + len(inside) + 2, name: parts[0]}
		if len(parts) == 3 {
			f.forms = parts[1:]
		}
		return f, true
	}
}

// notInName reports whether r is not allowed in the name of a field such as {name}.
func notInName(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// T returns the text with the given key, with each {name} replaced by the argument of that name. pairs
// contains names and values, alternately, as in T("waiting", "n", 3). T formats messages and lists in the
// language of the catalogue, and other values as fmt.Sprint does. If the key is missing, T returns the key
// itself, so the mistake is visible.
func (c Catalogue) T(key string, pairs ...any) string {
	text, ok := c[key]
	if !ok {
		return key
	}
	if len(pairs) == 0 {
		return text
	}
	var b strings.Builder
	for f, ok := nextField(text); ok; f, ok = nextField(text) {
		b.WriteString(text[:f.from])
		b.WriteString(c.fill(text[f.from:f.to], f, pairs))
		text = text[f.to:]
	}
	b.WriteString(text)
	return b.String()
}

// Say returns the text of m in the language of the catalogue.
func (c Catalogue) Say(m Message) string { return c.T(m.Key, m.Args...) }

// Lines returns the texts of the messages in list, in the language of the catalogue.
func (c Catalogue) Lines(list []Message) []string {
	var lines []string
	for _, m := range list {
		lines = append(lines, c.Say(m))
	}
	return lines
}

// fill returns the text that replaces field f, given pairs, the names and values of the arguments. If there
// is no argument with the name of f, fill returns whole, the text of the field itself, such as "{n}".
func (c Catalogue) fill(whole string, f field, pairs []any) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] != f.name {
			continue
		}
		switch value := c.value(pairs[i+1]); {
		case f.forms == nil:
			return value
		case value == "1":
			return f.forms[0]
		}
		return f.forms[1]
	}
	return whole
}

// value formats v, the value of an argument, in the language of the catalogue.
func (c Catalogue) value(v any) string {
	switch v := v.(type) {
	case Message:
		return c.Say(v)
	case List:
		items := make([]string, len(v.Items))
		for i, item := range v.Items {
			items[i] = c.value(item)
		}
		return strings.Join(items, c[v.Between])
	}
	return fmt.Sprint(v)
}

// Called returns name, or the text that is used for scenarios without a name if it is empty.
func (c Catalogue) Called(name string) string { return cmp.Or(name, c["scenario.unnamed"]) }
