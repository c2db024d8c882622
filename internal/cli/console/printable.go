package console

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns s as one line for a terminal or a log, without control sequences or characters that
// reorder text. Control characters (C0, C1, DEL), bidirectional marks and all other runes rejected by
// unicode.IsPrint are written as Go escapes, as are bytes that are not UTF-8.
func Printable(s string) string {
	if strings.IndexFunc(s, unprintable) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < utf8.RuneSelf && !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteString(s[i : i+size])
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return b.String()
}

// unprintable reports whether Printable may need to escape r. It returns true for utf8.RuneError, which may
// represent a byte that is not UTF-8.
func unprintable(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }

// OneLine returns s as one printable line. Each run of white space becomes a space.
func OneLine(s string) string { return Printable(strings.Join(strings.Fields(s), " ")) }
