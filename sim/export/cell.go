package export

import "strings"

// Cell returns text in a form that spreadsheet programs do not interpret as a formula when they open a CSV file.
// It adds a single quote before text that begins with =, +, -, @, a tab or a carriage return (OWASP, "CSV
// Injection"). It must not be used for numbers, because -5 must remain a number.
func Cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
