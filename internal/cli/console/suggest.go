package console

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// suggestMax is the maximum length, in bytes, of a name for which a suggestion is made.
const suggestMax = 64

// DidYouMean returns a question that suggests the most similar element of names, or "" if none is similar. A
// name is similar if at most a third of its letters differ, rounded up, or if it begins with name.
func DidYouMean(name string, names []string) string {
	if near := Nearest(name, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

func Nearest(name string, names []string) string {
	best, found := suggestMax, ""
	if len(name) > suggestMax {
		return ""
	}
	for _, candidate := range names {
		if len(candidate) > suggestMax {
			continue
		}
		distance := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(candidate))
		if len(name) > 2 && strings.HasPrefix(candidate, name) {
			distance = 1
		}
		if distance < best && distance <= max(1, (len([]rune(candidate))+2)/3) {
			best, found = distance, candidate
		}
	}
	return found
}

// notOneOf matches the invalid value and the list of valid values in an error message.
var notOneOf = regexp.MustCompile(`"([^"]{1,64})" is not one of ([^;:()]+)`)

// SuggestIn adds the most similar valid name to err if its message lists the valid names.
func SuggestIn(err error) error {
	m := notOneOf.FindStringSubmatch(err.Error())
	if m == nil || strings.Contains(err.Error(), "did you mean") {
		return err
	}
	names := strings.FieldsFunc(m[2], func(r rune) bool { return strings.ContainsRune(", []", r) })
	if slices.Contains(names, m[1]) {
		return err
	}
	if question := DidYouMean(m[1], names); question != "" {
		return fmt.Errorf("%w%s", err, question)
	}
	return err
}
