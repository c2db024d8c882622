package quiz

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/internal/texts"
)

//go:embed lessons/*.json
var lessonFiles embed.FS

// lessonNames lists the names of the lessons in display order.
var lessonNames = []string{"why", "rounds", "hierarchy", "tick-cost", "choose"}

// Words maps a language, "en" or "zh", to a text in that language.
type Words map[string]string

// In returns the text in language lang, or the English text if there is none in that language.
func (w Words) In(lang string) string {
	if text, ok := w[lang]; ok {
		return text
	}
	return w["en"]
}

// Lesson is a guided tour: steps through built-in scenarios, with questions whose answers are
// computed from the runs.
type Lesson struct {
	Name    string       `json:"-"`
	Title   Words        `json:"title"`
	Summary Words        `json:"summary"`
	Steps   []LessonStep `json:"steps"`
}

// LessonStep is one step of a lesson. {NAME} in Text, Question and Why is replaced by the answer to
// Facts[NAME], so the numbers in these texts are always those of the run.
type LessonStep struct {
	Scenario string           `json:"scenario"`
	Tick     int64            `json:"tick"`  // the cursor is placed at the end of this tick, or in the initial state if it is -1
	Lanes    []string         `json:"lanes"` // IDs of the lanes to display; empty means all
	Pane     string           `json:"pane"`  // pane to display: "compare", or "" for the lanes
	Title    Words            `json:"title"`
	Text     Words            `json:"text"`
	Facts    map[string]Query `json:"facts"`    // queries by name; {NAME} in a text is replaced by the answer to Facts[NAME]
	Question Words            `json:"question"` // text of the question; empty if the step has none
	Query    *Query           `json:"ask"`      // the question to ask; nil if the step has none
	Options  []string         `json:"options"`  // values to choose from; nil means the options that Quiz.Offer returns
	Why      Words            `json:"why"`      // explanation shown after the answer
}

// Lessons returns the lessons in display order. It panics if an embedded file is invalid; a test checks
// every file.
var Lessons = sync.OnceValue(func() []*Lesson {
	list := make([]*Lesson, 0, len(lessonNames))
	for _, name := range lessonNames {
		l, err := readLesson(name)
		if err != nil {
			panic(fmt.Sprintf("sim: lesson %s: %v", name, err))
		}
		list = append(list, l)
	}
	return list
})

// FindLesson returns the lesson with the given name. It returns false if there is none.
func FindLesson(name string) (*Lesson, bool) {
	k := slices.IndexFunc(Lessons(), func(l *Lesson) bool { return l.Name == name })
	if k < 0 {
		return nil, false
	}
	return Lessons()[k], true
}

func readLesson(name string) (*Lesson, error) {
	data, err := lessonFiles.ReadFile("lessons/" + name + ".json")
	if err != nil {
		return nil, err
	}
	l := &Lesson{Name: name}
	return l, json.Unmarshal(data, l, json.RejectUnknownMembers(true))
}

// Fill returns the text of w in language lang, replacing each {NAME} with the answer to s.Facts[NAME].
// The answers are computed by a.
func (s *LessonStep) Fill(ctx context.Context, a *Quiz, w Words, lang string) (string, error) {
	text := w.In(lang)
	for name, query := range s.Facts {
		field := "{" + name + "}"
		if !strings.Contains(text, field) {
			continue
		}
		right, err := a.Answer(ctx, query, s.Tick)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		text = strings.ReplaceAll(text, field, inText(right.Value))
	}
	return text, nil
}

// inText formats a value for use in a sentence.
func inText(value string) string {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return texts.Count(n).String()
	}
	return value
}

// Ask returns the question s.Query with its answer and, if s has any, the options of s. s.Query must not be nil.
func (s *LessonStep) Ask(ctx context.Context, a *Quiz) (*Asked, error) {
	return a.Ask(ctx, *s.Query, s.Tick, uint64(s.Tick)+1, nil, s.Options)
}
