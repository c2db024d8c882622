package rediswheel

import (
	"regexp"
	"strings"
	"unicode"
)

// hidden replaces the name and the password of a URL wherever one is shown.
const hidden = "xxxxx@"

// RedactURL replaces the name and the password of a URL, which may be secret both. A text that is no URL, or a
// URL that was cut short, is redacted as far as it looks like one.
func RedactURL(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	if at < 0 {
		return url
	}
	return scheme + "://" + hidden + rest[at+1:]
}

var urlsWithin = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>]+`)

// redactText redacts the URLs within a text, such as an error.
func redactText(text string) string { return urlsWithin.ReplaceAllStringFunc(text, RedactURL) }

// reasonMax is the length of a failure's reason that is kept, in bytes.
const reasonMax = 300

// oneLine makes a reason that fits in a line, in valid UTF-8, of characters that can be
// seen: what a callback answers must not steer the terminal that shows it.
func oneLine(text string) string {
	text = strings.Map(visible, strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "?"))
	if len(text) > reasonMax {
		text = strings.ToValidUTF8(text[:reasonMax], "") + "…"
	}
	return text
}

// visible is a character, or ? if it is none that is printed.
func visible(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '?'
}
