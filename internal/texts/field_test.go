package texts

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// The first field of a text is the one that a regular expression finds, for random texts.
func TestFields(t *testing.T) {
	expression := regexp.MustCompile(`\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}`)
	const letters = "{{{}}}||ab_1 é"
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		var b strings.Builder
		for range draw.IntN(12) {
			b.WriteByte(letters[draw.IntN(len(letters))])
		}
		text := b.String()
		h, found := nextField(text)
		m := expression.FindStringSubmatchIndex(text)
		if found != (m != nil) {
			t.Fatalf("%q: found %v", text, found)
		}
		if !found {
			continue
		}
		if h.from != m[0] || h.to != m[1] || h.name != text[m[2]:m[3]] || (h.forms != nil) != (m[4] >= 0) {
			t.Fatalf("%q: %+v, want %v", text, h, m)
		}
		if h.forms != nil && (h.forms[0] != text[m[4]:m[5]] || h.forms[1] != text[m[6]:m[7]]) {
			t.Fatalf("%q: forms %q", text, h.forms)
		}
	}
}
