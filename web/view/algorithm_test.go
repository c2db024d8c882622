package view

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/knowledge"
)

// Only variables of the code are explained, not letters of a word.
func TestSigns(t *testing.T) {
	for text, want := range map[string]string{
		"e ← ⌈due / u⌉;  j ← e − c": "e u j c", "the timer's clock": "", "slot (c >> 3l) & 63": "c", "⌊e/W⌋ mod n": "e W n", "circle · one": "",
	} {
		k := &knowledge.Page{Code: []knowledge.Line{{Text: text}}}
		if got := strings.Join(variablesOf(k), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
