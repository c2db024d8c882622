package scenario

import "testing"

func TestDecimal(t *testing.T) {
	for text, want := range map[string]string{"0": "0", "1": "1", "0.9": "0.9", "0.90": "0.9", "1.160000": "1.16", "100": "100", "0.000001": "0.000001", "12.5": "12.5"} {
		d, err := parseDecimal(text)
		if err != nil || d.String() != want {
			t.Errorf("%s is read as %s (%v), want %s", text, d, err, want)
		}
	}
	for _, text := range []string{"", ".", "-1", "1e3", "0.1234567", "1234567890", "x", "1.x", "+1"} {
		if d, err := parseDecimal(text); err == nil {
			t.Errorf("%q is read as %s", text, d)
		}
	}
}
