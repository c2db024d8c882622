//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package quiz

import (
	"strconv"
	"testing"
)

// TestLessonsAgreeWithTheEngine checks that every cursor of a lesson exists, that every answer is
// the engine's and one of the options, and that every number in a text is filled in.
func TestLessonsAgreeWithTheEngine(t *testing.T) {
	g := newFixture(t)
	if len(Lessons()) != 5 {
		t.Fatalf("%d lessons, want 5", len(Lessons()))
	}
	for _, l := range Lessons() {
		bilingual(t, l.Name, l.Title, l.Summary)
		if len(l.Steps) < 5 {
			t.Errorf("%s has %d steps", l.Name, len(l.Steps))
		}
		for i := range l.Steps {
			t.Run(l.Name+"/"+strconv.Itoa(i+1), func(t *testing.T) { checkStep(t, g, &l.Steps[i]) })
		}
	}
}
