package connect

import (
	"regexp"
	"strings"
	"unicode"
)

// hidden is the text with which RedactURL replaces the user name, the password and the @ of a URL.
const hidden = "xxxxx@"

// RedactURL returns url with the user name and password replaced, because both may be secret. url need not be
// valid. A string without "://", or without "@" in the host part, is returned unchanged.
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

// RedactText applies RedactURL to all URLs in a text, such as an error message.
func RedactText(text string) string { return urlsWithin.ReplaceAllStringFunc(text, RedactURL) }

// reasonMax is the maximum length, in bytes, of a result of OneLine, not counting the ellipsis.
const reasonMax = 300

// OneLine converts text to one line of printable, valid UTF-8. If the line is longer than reasonMax bytes, OneLine
// truncates it and appends an ellipsis. The result is safe to print on a terminal, even if text comes from an
// untrusted server.
func OneLine(text string) string {
	text = strings.Map(visible, strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "?"))
	if len(text) > reasonMax {
		text = strings.ToValidUTF8(text[:reasonMax], "") + "…"
	}
	return text
}

// visible returns r if it is printable, otherwise '?'.
func visible(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '?'
}
