// Package appendjson appends parts of a JSON text to a byte slice without allocating.
package appendjson

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Comma appends a comma to dst unless i, the index of a list element, is 0.
func Comma(dst []byte, i int) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return dst
}

// String appends s as a JSON string with only the escapes that JSON requires. s must be valid UTF-8.
func String(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// Int appends name and then n in decimal. name is JSON text that precedes a number, such as `,"tick":`; it is
// appended unchanged.
func Int(dst []byte, name string, n int64) []byte {
	return strconv.AppendInt(append(dst, name...), n, 10)
}
