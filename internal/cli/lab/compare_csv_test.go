package lab

import "testing"

// Only texts are escaped, not numbers.
func TestCSVRow(t *testing.T) {
	row := csvRow([]string{"-5", "-5"}, 1)
	if row[0] != "'-5" || row[1] != "-5" {
		t.Errorf("a text and a number: %q", row)
	}
}
