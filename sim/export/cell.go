package export

import "strings"

// Cell returns a text as a cell of CSV that a spreadsheet does not take for a formula: a
// single quote is put before a text that begins with =, +, -, @, a tab or a carriage return
// (OWASP, "CSV Injection"). Numbers are not texts and must not be
// given: -5 stays a number.
func Cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
