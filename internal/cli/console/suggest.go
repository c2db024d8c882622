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

// DidYouMean returns a question to append to the error message for an unknown name. The question suggests the
// element of names that is most similar to name, for example `; did you mean "heap"?`. If no element is
// similar, DidYouMean returns "". An element is similar if at most a third of its letters, rounded up, must
// be changed to obtain name, or if it begins with name and name has more than two letters.
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

// notOneOf matches an error message that lists the valid values. Its submatches are the invalid value and the
// list.
var notOneOf = regexp.MustCompile(`"([^"]{1,64})" is not one of ([^;:()]+)`)

// SuggestIn appends a suggestion to err if its message contains an invalid value and a list of valid values,
// and if one of the valid values is similar to the invalid one. Otherwise it returns err unchanged.
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
