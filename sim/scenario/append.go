package scenario

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// appendComma appends a comma to dst unless i, the index of a list element, is 0.
func appendComma(dst []byte, i int) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return dst
}

// appendString appends s as a JSON string with only the escapes that JSON requires. s must be valid UTF-8.
func appendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// appendInt appends name and then n in decimal. name is JSON text that precedes a number, such as `,"tick":`; it is
// appended unchanged.
func appendInt(dst []byte, name string, n int64) []byte {
	return strconv.AppendInt(append(dst, name...), n, 10)
}
