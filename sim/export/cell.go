package export

import "strings"

// Cell returns a text as a cell of CSV that a spreadsheet takes for a text: a single quote
// goes before one that begins with =, +, -, @, a tab or a carriage return, which it would
// take for a formula (OWASP, "CSV Injection"). Numbers are not texts and must not be
// given: -5 stays a number.
func Cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
