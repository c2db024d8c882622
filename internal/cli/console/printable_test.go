package console

import "testing"

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"timer-7 µ … 等待 😀 \\": "timer-7 µ … 等待 😀 \\",
		"\x1b]0;t\x07\x7f":    `\x1b]0;t\x07\x7f`,
		"a\r\n\tb":            `a\x0d\x0a\x09b`,
		"\u009b2J\u2028":      `\u009b2J\u2028`,
		"\u202e\u2066\u200f":  `\u202e\u2066\u200f`,
		"\x9b\xff\uFFFD":      `\x9b\xff` + "\uFFFD",
		"\U000e0001":          `\U000e0001`,
		"":                    "",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
