//go:build !race

// Long tests of one request at a time, in which the race detector finds nothing; see the Makefile.

package web

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/web/api"
)

// Every step of every lesson has its text in both languages, and exactly one set of options is
// right: the one in the answer.
func TestLessonsHaveTextsAndGrades(t *testing.T) {
	testkit.SoakOnly(t) // package quiz tests the same lessons without HTTP
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for _, entry := range answered[[]api.LessonEntry](t, h.get("/api/lessons?lang=en")) {
			for _, lang := range []string{"en", "zh"} {
				l := answered[api.Lesson](t, h.get("/api/lesson?name="+entry.Name+"&lang="+lang))
				if len(l.Steps) != entry.Steps || l.Title == "" || entry.Summary == "" {
					t.Errorf("%s has %d steps, listed with %d", entry.Name, len(l.Steps), entry.Steps)
				}
				for i, step := range l.Steps {
					if step.Title == "" || step.Text == "" || strings.ContainsAny(step.Text+step.Question, "{}") || (step.Ask == nil) != (step.Question == "") {
						t.Errorf("%s, step %d: %+v", entry.Name, i+1, step)
					}
					if step.Ask != nil && (len(step.Ask.Targets) == 0 || step.Ask.Why == "") {
						t.Errorf("%s, step %d: %+v", entry.Name, i+1, step.Ask)
					}
				}
			}
		}
	})
}
