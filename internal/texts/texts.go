// Package texts makes sentences for users from keys and arguments. A [Catalogue] contains the texts
// of one language by key; package [github.com/wheelscope/wheelscope/static] has catalogues in
// English and Chinese. A [Message] is a text without a language: a key and its arguments. Packages
// that compute something return messages, and the code that shows them renders them with a
// catalogue. An [Error] is a message with a kind and the place of a fault.
//
// The key of an error's message is its English format, so that the code contains the English text and
// only other languages have a catalogue (static/texts/zh/errors); see [Newf].
//
// In a text with another key, {name} is replaced by the argument of that name, and {name|timer|timers} by the first
// word if the argument is 1, and otherwise by the second. static/js/core/texts.js fills in texts of
// the page by the same rule.
package texts

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Catalogue maps keys to texts in one language.
type Catalogue map[string]string

// Message is a text that can be shown in any language. The zero Message is empty.
type Message struct {
	Key  string
	Args []any // alternating names and values, as for [Catalogue.T], or the arguments of a format

	formatted bool // Key is an English format; see Newf
}

// In returns the text of m in the language of the catalogue c.
func (m Message) In(c Catalogue) string { return c.Say(m) }

// String returns the text of a message of [Newf] in English.
func (m Message) String() string { return m.In(nil) }

// Of returns the message with the given key. pairs contains the names and values of its arguments,
// alternately.
func Of(key string, pairs ...any) Message { return Message{Key: key, Args: pairs} }

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

// field matches a part of a text that is replaced by an argument or by a word, such as {name} or
// {name|timer|timers}. static/js/core/texts.js uses the same syntax.
var field = regexp.MustCompile(`\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}`)

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
	return field.ReplaceAllStringFunc(text, func(whole string) string { return c.fill(whole, pairs) })
}

// Say returns the text of m in the language of the catalogue.
func (c Catalogue) Say(m Message) string {
	if m.formatted {
		return c.format(m)
	}
	return c.T(m.Key, m.Args...)
}

// Lines returns the texts of the messages in list, in the language of the catalogue.
func (c Catalogue) Lines(list []Message) []string {
	var lines []string
	for _, m := range list {
		lines = append(lines, c.Say(m))
	}
	return lines
}

// fill returns the text that replaces whole, a field, given pairs, the names and values of the arguments. If there
// is no argument of that name, fill returns whole itself, such as "{n}".
func (c Catalogue) fill(whole string, pairs []any) string {
	parts := field.FindStringSubmatch(whole)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] != parts[1] {
			continue
		}
		switch value := c.value(pairs[i+1]); {
		case !strings.Contains(whole, "|"):
			return value
		case value == "1":
			return parts[2]
		}
		return parts[3]
	}
	return whole
}

// value formats v, the value of an argument, in the language of the catalogue.
func (c Catalogue) value(v any) string {
	switch v := v.(type) {
	case localised:
		return v.In(c)
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
