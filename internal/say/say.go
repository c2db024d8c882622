// Package say has localised messages for users. A [Message] is an English format and its
// arguments, as for fmt.Sprintf. The format is the key in the catalogue of the other language
// (zh.go), so the code contains the English text. The command line prints English; the page uses
// its own language with [Message.In].
//
// A message without a translation is in English. A test parses the sources of the packages with
// messages and checks that the catalogue is complete.
package say

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Message is one line for a user. The zero Message is empty.
type Message struct {
	format string
	args   []any
}

// Of returns a message with a format and its arguments. A string argument may be a phrase of the
// catalogue ("a list of lanes", "between 1 and 9"): it is translated with the message. Text of
// the user is quoted, and is not translated.
func Of(format string, args ...any) Message { return Message{format, args} }

// String returns the message in English.
func (m Message) String() string {
	if len(m.args) == 0 {
		return strings.ReplaceAll(m.format, "%%", "%")
	}
	return fmt.Sprintf(m.format, m.args...)
}

// Empty reports whether m is the zero Message.
func (m Message) Empty() bool { return m.format == "" }

// In returns the message in a language of the page, "en" or "zh".
func (m Message) In(lang string) string {
	words, ok := catalogues[lang][m.format]
	if !ok {
		return m.String()
	}
	verbs := verb.FindAllString(m.format, -1)
	args := make([]any, len(m.args))
	for i, arg := range m.args {
		args[i] = phrase(fmt.Sprintf(verbs[min(i, len(verbs)-1)], arg), lang)
	}
	return fill(words, args)
}

// fill formats a translation, whose verbs are %s or %[n]s.
func fill(words string, args []any) string {
	if len(args) == 0 {
		return words
	}
	return fmt.Sprintf(words, args...)
}

// catalogues has by language: English format → format with %s for every verb.
var catalogues = map[string]map[string]string{"zh": zh}

// verb matches a verb of an English format; number matches a number in a phrase.
var (
	verb   = regexp.MustCompile(`%[+#.0-9]*[a-zA-Z]`)
	number = regexp.MustCompile(`-?\d+(\.\d+)?`)
)

// phrase translates a part of a sentence, found as it is, with %d for each number, or with %s
// for variable parts ("one of a, b" is "one of %s").
func phrase(text, lang string) string {
	if text == "" || text[0] == '"' {
		return text
	}
	if words, ok := catalogues[lang][text]; ok {
		return words
	}
	if words, ok := catalogues[lang][number.ReplaceAllString(text, "%d")]; ok {
		var args []any
		for _, n := range number.FindAllString(text, -1) {
			args = append(args, n)
		}
		return fill(words, args)
	}
	for _, f := range frames {
		if words, ok := catalogues[lang][f.key]; ok {
			if args := f.holes(text); args != nil {
				return fill(words, args)
			}
		}
	}
	return text
}

// frame is a phrase split at its verbs: it has one part more than verbs.
type frame struct {
	key   string
	parts []string
}

// holes returns the texts at the verbs of the frame, nil if text is another phrase.
func (f *frame) holes(text string) []any {
	last := len(f.parts) - 1
	rest, begins := strings.CutPrefix(text, f.parts[0])
	rest, ends := strings.CutSuffix(rest, f.parts[last])
	if !begins || !ends || rest == "" {
		return nil
	}
	var args []any
	for _, part := range f.parts[1:last] {
		hole, after, ok := strings.Cut(rest, part)
		if !ok {
			return nil
		}
		args, rest = append(args, hole), after
	}
	return append(args, rest)
}

// frames are those of the catalogue, the longest first.
var frames = func() []frame {
	var list []frame
	for key := range zh {
		parts := strings.Split(key, "%s")
		last := len(parts) - 1
		if last == 0 || parts[0] == "" || slices.Contains(parts[1:last], "") || strings.Contains(strings.Join(parts, ""), "%") {
			continue
		}
		list = append(list, frame{key, parts})
	}
	slices.SortFunc(list, func(a, b frame) int { return cmp.Or(len(b.key)-len(a.key), strings.Compare(a.key, b.key)) })
	return list
}()
