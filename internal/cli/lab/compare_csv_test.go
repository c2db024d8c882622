package lab

import (
	"strings"
	"testing"
)

// Only texts are escaped, not numbers.
func TestWriteCSV(t *testing.T) {
	var b strings.Builder
	if err := writeCSV(&b, []string{"a", "b"}, [][]string{{"-5", "-5"}}, 1); err != nil || b.String() != "a,b\n'-5,-5\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
