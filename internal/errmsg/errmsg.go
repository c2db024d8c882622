// Package errmsg contains translatable error messages for users. A [Message] is an English format and its
// arguments, as for fmt.Sprintf. The format is also the key of the translation in a [Catalogue]
// (static/texts/zh/errors), so the code contains the English text. The command line prints English; the
// page uses its own language with [Message.In].
//
// A message without a translation is in English. A test parses the sources of the packages with messages
// and checks that the catalogue is complete.
package errmsg

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Message is one line of text for a user. The zero Message is empty.
type Message struct {
	format string
	args   []any
}

// Newf returns a message with the given format and arguments, as for fmt.Sprintf. When the message is
// translated, an argument that is an English phrase, such as "a list of lanes" or "between 1 and 9", is
// translated, too, if the Catalogue contains the phrase. Arguments formatted with %q, such as text from the
// user, are never translated.
func Newf(format string, args ...any) Message { return Message{format, args} }

// String returns the message in English.
func (m Message) String() string {
	if len(m.args) == 0 {
		return strings.ReplaceAll(m.format, "%%", "%")
	}
	return fmt.Sprintf(m.format, m.args...)
}

// Empty reports whether m is the zero Message.
func (m Message) Empty() bool { return m.format == "" }

// Catalogue translates messages into one language. It is safe for concurrent use.
type Catalogue struct {
	texts  map[string]string // translations, keyed by English format or phrase; see NewCatalogue
	frames []frame           // phrases with variable parts, longest first
}

// NewCatalogue returns a catalogue with the given translations. A key of texts is the English format of a
// message or a phrase that occurs as an argument of messages. In a phrase, %d represents a number
// ("between %d and %d") and %s any other part that varies ("one of %s"). A translation contains the verb
// %s for each argument, or %[n]s if the order of the arguments differs.
func NewCatalogue(texts map[string]string) *Catalogue {
	c := &Catalogue{texts: texts}
	for _, key := range slices.SortedFunc(maps.Keys(texts), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }) {
		parts := strings.Split(key, "%s")
		last := len(parts) - 1
		if last == 0 || parts[0] == "" || slices.Contains(parts[1:last], "") || strings.Contains(strings.Join(parts, ""), "%") {
			continue
		}
		c.frames = append(c.frames, frame{key, parts})
	}
	return c
}

// In returns the message in the language of c, or in English if c is nil or has no translation.
func (m Message) In(c *Catalogue) string {
	if c == nil {
		return m.String()
	}
	words, ok := c.texts[m.format]
	if !ok {
		return m.String()
	}
	verbs := verb.FindAllString(m.format, -1)
	args := make([]any, len(m.args))
	for i, arg := range m.args {
		args[i] = c.phrase(fmt.Sprintf(verbs[min(i, len(verbs)-1)], arg))
	}
	return fill(words, args)
}

// fill formats words, a translation, with args.
func fill(words string, args []any) string {
	if len(args) == 0 {
		return words
	}
	return fmt.Sprintf(words, args...)
}

var (
	verb   = regexp.MustCompile(`%[+#.0-9]*[a-zA-Z]`) // of an English format, such as "%s" or "%.1f"
	number = regexp.MustCompile(`-?\d+(\.\d+)?`)
)

// phrase returns the translation of text, a part of a sentence, or text itself if there is none. It looks up
// these keys in turn: the text; the text with each number replaced by %d; the text with its variable parts
// replaced by %s ("one of a, b" has the key "one of %s"). Text in quotes is not translated.
func (c *Catalogue) phrase(text string) string {
	if text == "" || text[0] == '"' {
		return text
	}
	if words, ok := c.texts[text]; ok {
		return words
	}
	if words, ok := c.texts[number.ReplaceAllString(text, "%d")]; ok {
		var args []any
		for _, n := range number.FindAllString(text, -1) {
			args = append(args, n)
		}
		return fill(words, args)
	}
	for _, f := range c.frames {
		if words, ok := c.texts[f.key]; ok {
			if args := f.match(text); args != nil {
				return fill(words, args)
			}
		}
	}
	return text
}

// frame is a key of the catalogue with %s for its variable parts. parts contains the texts before, between
// and after them.
type frame struct {
	key   string
	parts []string
}

// match returns the variable parts of text if it matches the frame, and otherwise nil.
func (f *frame) match(text string) []any {
	last := len(f.parts) - 1
	rest, begins := strings.CutPrefix(text, f.parts[0])
	rest, ends := strings.CutSuffix(rest, f.parts[last])
	if !begins || !ends || rest == "" {
		return nil
	}
	var args []any
	for _, part := range f.parts[1:last] {
		arg, after, ok := strings.Cut(rest, part)
		if !ok {
			return nil
		}
		args, rest = append(args, arg), after
	}
	return append(args, rest)
}
