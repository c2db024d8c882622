// Package say keeps what is told to a user apart from its language. A [Message]
// is an English format and what fills it in, as fmt.Sprintf takes them; the
// English format is its key in the catalogue of the other languages (zh.go), so
// the code reads as it speaks. The command line speaks English; the page asks
// for its own language with [Message.In].
//
// It never fails: what the catalogue lacks is told in English. A test reads the
// sources of the packages that speak and holds the catalogue complete.
package say

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Message is one line for a user. The zero Message says nothing.
type Message struct {
	format string
	args   []any
}

// Of makes a message of a format and what fills it in. An argument that is a
// string may be a phrase of the catalogue itself ("a list of lanes", "between 1
// and 9"): it is translated with the message. What a user wrote goes in quotes,
// and is left as it is.
func Of(format string, args ...any) Message { return Message{format, args} }

// String is the message in English.
func (m Message) String() string {
	if len(m.args) == 0 {
		return strings.ReplaceAll(m.format, "%%", "%")
	}
	return fmt.Sprintf(m.format, m.args...)
}

// Empty says whether there is nothing to tell.
func (m Message) Empty() bool { return m.format == "" }

// In is the message in a language of the page, "en" or "zh".
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

// fill puts arguments into a translation, whose holes are %s or %[n]s.
func fill(words string, args []any) string {
	if len(args) == 0 {
		return words
	}
	return fmt.Sprintf(words, args...)
}

// catalogues by language: English format → format with %s for every hole.
var catalogues = map[string]map[string]string{"zh": zh}

// verb is a hole of an English format; number is a number in a phrase.
var (
	verb   = regexp.MustCompile(`%[+#.0-9]*[a-zA-Z]`)
	number = regexp.MustCompile(`-?\d+(\.\d+)?`)
)

// phrase translates a part of a sentence: by its words, by its words with %d for
// each number, or by what stands around a hole ("one of a, b" is "one of %s").
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

// frame is a phrase with holes, by what stands around them: one part more than holes.
type frame struct {
	key   string
	parts []string
}

// holes gives what stands in the holes of a text, nil where it is another phrase.
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
