package api

import (
	"context"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/quiz"
)

// LessonEntry describes a lesson. The answer to a request for /api/lessons is a list of LessonEntry values.
type LessonEntry struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
	Steps   int    `json:"steps"` // number of steps
}

// Lesson is the answer to a request for /api/lesson: a lesson, which is a guided tour. Its texts contain numbers
// computed from the runs that it shows.
type Lesson struct {
	Name  string       `json:"name"`
	Title string       `json:"title"`
	Steps []lessonStep `json:"steps"`
}

// lessonStep is a step of a lesson: the built-in scenario to open, the position, what to display, and texts.
type lessonStep struct {
	Scenario string    `json:"scenario"`
	Tick     int64     `json:"tick"`  // tick at the end of which the cursor is placed; -1 means before the first event
	Lanes    []string  `json:"lanes"` // IDs of the lanes to display; empty means all
	Pane     string    `json:"pane"`  // pane to display: "compare", or "" for the lanes
	Title    string    `json:"title"`
	Text     string    `json:"text"`
	Question string    `json:"question"`      // text of the question; "" if the step has no question
	Ask      *Question `json:"ask,omitempty"` // question of the step, without its text; nil if the step has no question
}

// Lessons returns the list of lessons, with texts in the language lang.
func Lessons(lang string) []LessonEntry {
	list := []LessonEntry{}
	for _, l := range quiz.Lessons() {
		list = append(list, LessonEntry{l.Name, l.Title.In(lang), l.Summary.In(lang), len(l.Steps)})
	}
	return list
}

// Lesson returns the named lesson, with texts in the language lang.
func (a *Answers) Lesson(ctx context.Context, name, lang string) (*Lesson, error) {
	l, err := findLesson(name)
	if err != nil {
		return nil, err
	}
	out := &Lesson{Name: l.Name, Title: l.Title.In(lang)}
	for i := range l.Steps {
		step, err := a.lessonStep(ctx, &l.Steps[i], lang)
		if err != nil {
			return nil, askFault(err)
		}
		out.Steps = append(out.Steps, *step)
	}
	return out, nil
}

// findLesson returns the named lesson, or an Error of kind NotFound.
func findLesson(name string) (*quiz.Lesson, error) {
	l, ok := quiz.FindLesson(name)
	if !ok {
		return nil, texts.Errorf(texts.NotFound, "", "name: %q is not the name of a lesson", texts.Clip(name))
	}
	return l, nil
}

// lessonStep returns step, a step of a lesson, in the form that is sent to the page. The texts are in the language
// lang.
func (a *Answers) lessonStep(ctx context.Context, step *quiz.LessonStep, lang string) (*lessonStep, error) {
	questions, err := a.quizOf(ctx, step.Scenario)
	if err != nil {
		return nil, err
	}
	out := &lessonStep{Scenario: step.Scenario, Tick: step.Tick, Lanes: step.Lanes, Pane: step.Pane, Title: step.Title.In(lang)}
	if out.Text, err = step.Fill(ctx, questions, step.Text, lang); err != nil || step.Query == nil {
		return out, err
	}
	if out.Question, err = step.Fill(ctx, questions, step.Question, lang); err != nil {
		return nil, err
	}
	q, err := step.Ask(ctx, questions)
	if err != nil {
		return nil, err
	}
	out.Ask = questionOf(questions.Run.Program(), q, lang)
	out.Ask.Why, err = step.Fill(ctx, questions, step.Why, lang)
	return out, err
}

// quizOf returns a Quiz for the run of the named built-in scenario, and makes the store keep the run until ctx is done.
// It ignores the scenario given on the command line, which may have the same name.
func (a *Answers) quizOf(ctx context.Context, scenario string) (*quiz.Quiz, error) {
	p, err := a.library.Builtin(scenario)
	if err != nil {
		return nil, err
	}
	run, err := a.library.Store.Open(ctx, p)
	if err != nil {
		return nil, err
	}
	a.library.Store.Retain(ctx, run)
	return a.quiz(run), nil
}

// quiz returns a Quiz, which generates and answers questions about run. The Quiz obtains the results of the
// lanes from a.chart, which caches them.
func (a *Answers) quiz(run *sim.Run) *quiz.Quiz {
	return &quiz.Quiz{Run: run, Results: func(ctx context.Context) ([]engine.LaneResult, error) {
		chart, err := a.chart(ctx, run)
		if err != nil {
			return nil, err
		}
		return chart.Results, nil
	}}
}
