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

// Of returns a message with the given key and its arguments, alternating names and values.
func Of(key string, pairs ...any) Message { return Message{key, pairs} }

// List is an argument with several values, which are joined by the text with the key Between.
type List struct {
	Between string
	Items   []any
}

// NewList returns a list of the given items.
func NewList[T any](between string, items []T) List {
	l := List{Between: between}
	for _, item := range items {
		l.Items = append(l.Items, item)
	}
	return l
}

// Count is an argument that is written with a comma between thousands: 1,312. Positions, such as ticks, are
// arguments of other integer types and have no commas.
type Count int64

func (n Count) String() string {
	text := strconv.FormatInt(int64(n), 10)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// hole is a {name} or {name|one|several} in a text, as in static/js/core/texts.js.
type hole struct {
	from, to int // the part is text[from:to]
	name     string
	forms    []string // singular and plural of a word; nil means that the part has no such forms
}

// nextHole returns the first hole in a text.
func nextHole(text string) (hole, bool) {
	for at := 0; ; at++ {
		open := strings.IndexByte(text[at:], '{')
		if open < 0 {
			return hole{}, false
		}
		at += open
		inside, _, closed := strings.Cut(text[at+1:], "}")
		if !closed {
			return hole{}, false
		}
		parts := strings.Split(inside, "|")
		if len(parts) != 1 && len(parts) != 3 || parts[0] == "" || strings.ContainsFunc(parts[0], notOfName) {
			continue
		}
		h := hole{from: at, to: at + len(inside) + 2, name: parts[0]}
		if len(parts) == 3 {
			h.forms = parts[1:]
		}
		return h, true
	}
}

// notOfName reports whether the name of a hole can't contain r.
func notOfName(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// T returns the text with the given key, with each {name} replaced: T("waiting", "n", 3). Values are
// formatted as by fmt.Sprint, and messages and lists in the language of the catalogue. If the key is
// missing, T returns the key, so that the mistake is visible.
func (c Catalogue) T(key string, pairs ...any) string {
	text, ok := c[key]
	if !ok {
		return key
	}
	if len(pairs) == 0 {
		return text
	}
	var b strings.Builder
	for h, ok := nextHole(text); ok; h, ok = nextHole(text) {
		b.WriteString(text[:h.from])
		b.WriteString(c.fill(text[h.from:h.to], h, pairs))
		text = text[h.to:]
	}
	b.WriteString(text)
	return b.String()
}

// Say returns a message in the language of the catalogue.
func (c Catalogue) Say(m Message) string { return c.T(m.Key, m.Args...) }

// Lines returns the messages of list in the language of the catalogue.
func (c Catalogue) Lines(list []Message) []string {
	var lines []string
	for _, m := range list {
		lines = append(lines, c.Say(m))
	}
	return lines
}

// fill returns the replacement for whole, the text of hole h, or whole itself if pairs does not contain its
// name.
func (c Catalogue) fill(whole string, h hole, pairs []any) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] != h.name {
			continue
		}
		switch value := c.value(pairs[i+1]); {
		case h.forms == nil:
			return value
		case value == "1":
			return h.forms[0]
		}
		return h.forms[1]
	}
	return whole
}

// value formats v, an argument of a message.
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

// Called returns title, or name if title is "", or the text for an unnamed scenario if both are "".
func (c Catalogue) Called(title, name string) string {
	return cmp.Or(title, name, c["scenario.unnamed"])
}
