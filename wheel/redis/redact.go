package redis

import (
	"regexp"
	"strings"
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
