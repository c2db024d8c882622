package texts

import (
	"strings"
	"testing"
)

// Quoted text is shortened at a whole character.
func TestClip(t *testing.T) {
	long := strings.Repeat("轮", 70)
	for n := range 70 {
		if got := Clip(long[:n]); n <= 60 && got != long[:n] || len(got) > 63 {
			t.Errorf("%d bytes are clipped to %q", n, got)
		}
	}
}
