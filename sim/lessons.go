package sim

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed lessons/*.json
var lessonFiles embed.FS

// lessonNames lists the guided tours in the order in which they are offered.
var lessonNames = []string{"why", "rounds", "hierarchy", "tick-cost", "choose"}

// Words are a text by language: "en" and "zh".
type Words map[string]string

// In gives the text in a language, or in English.
func (w Words) In(lang string) string {
	if text, ok := w[lang]; ok {
		return text
	}
	return w["en"]
}

// Lesson is a guided tour: steps through built-in scenarios, with questions whose
// answers the engine computes.
type Lesson struct {
	Name    string       `json:"-"`
	Title   Words        `json:"title"`
	Summary Words        `json:"summary"`
	Steps   []LessonStep `json:"steps"`
}

// LessonStep is one stop of a tour. In its texts {NAME} stands for the answer to
// Facts[NAME], so that no number in them can be wrong.
type LessonStep struct {
	Scenario string         `json:"scenario"`
	Tick     int64          `json:"tick"`  // the cursor stands after everything at it; -1: before anything
	Lanes    []string       `json:"lanes"` // to be looked at; empty: all
	Pane     string         `json:"pane"`  // "compare", or "": the lanes
	Title    Words          `json:"title"`
	Text     Words          `json:"text"`
	Facts    map[string]Ask `json:"facts"`
	Question Words          `json:"question"` // absent: none is asked
	Ask      *Ask           `json:"ask"`
	Options  []string       `json:"options"` // values to choose from; absent: offered by the engine
	Why      Words          `json:"why"`     // told when it was answered
}

// Lessons lists the guided tours. A test reads every one of them; a fault here is
// the program's own.
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

// FindLesson gives the tour of a name.
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
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	return l, d.Decode(l)
}

// Fill puts the answers to the step's facts into a text of it.
func (s *LessonStep) Fill(ctx context.Context, a *Asker, w Words, lang string) (string, error) {
	text := w.In(lang)
	for name, ask := range s.Facts {
		hole := "{" + name + "}"
		if !strings.Contains(text, hole) {
			continue
		}
		right, err := a.Answer(ctx, ask, s.Tick)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		text = strings.ReplaceAll(text, hole, spoken(right.Values))
	}
	return text, nil
}

// spoken writes an answer into a sentence.
func spoken(values []string) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = v
		if number := strings.TrimLeft(v, "0123456789"); number == "" && v != "" {
			words[i] = groupedText(v)
		}
	}
	return strings.Join(words, ", ")
}

// Offered is the question of a step with its options.
func (s *LessonStep) Offered(ctx context.Context, a *Asker) (*Question, error) {
	q, err := a.Offer(ctx, *s.Ask, s.Tick, uint64(s.Tick)+1)
	if err == nil && len(s.Options) > 0 {
		q.Options = s.Options
	}
	return q, err
}
