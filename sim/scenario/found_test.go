package scenario

import (
	"strings"
	"testing"
)

// TestFoundIsShort checks that the user's text appears in a message on one line and cut short.
func TestFoundIsShort(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a": 1}`:                           "an object",
		`[1, 2]`:                             "a list",
		`"a\nb"`:                             `"a\nb"`,
		`true`:                               "true",
		strings.Repeat("9", 41):              strings.Repeat("9", 40) + "…",
		`"` + strings.Repeat("x", 61) + `"`:  `"` + strings.Repeat("x", 60) + `…"`,
		`"` + strings.Repeat("轮", 30) + `"`:  `"` + strings.Repeat("轮", 20) + `…"`,
		`"x` + strings.Repeat("轮", 30) + `"`: `"x` + strings.Repeat("轮", 19) + `…"`,
	} {
		if got := (value{raw: []byte(raw)}).found(); got != want {
			t.Errorf("%s is reported as %s, want %s", raw, got, want)
		}
	}
}
