package api

import (
	"context"
	"strconv"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/quiz"
	"github.com/wheelscope/wheelscope/static"
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

// Question is a question of a quiz or a lesson as sent to the page, without the right answer.
type Question struct {
	Kind    quiz.Kind   `json:"kind"`
	Lane    string      `json:"lane"`           // ID of the lane, if questions of this Kind are about one
	Timer   string      `json:"timer"`          // name of the timer, if questions of this Kind are about one
	At      int64       `json:"at"`             // tick at the end of which the question is asked; -1 means before the first event
	Op      *askedOp    `json:"op,omitempty"`   // operation that the question is about, if its kind is "slot"
	Many    bool        `json:"many"`           // whether any number of options may be right; if false, exactly one is
	Options []string    `json:"options"`        // options to choose from; depending on Kind, they are lane IDs, timer names, numbers, places in the form "level:slot", or the words "reject", "now" and "never"
	Seed    string      `json:"seed,omitempty"` // seed from which the questions for one student are generated; "" in a lesson
	ID      string      `json:"id,omitempty"`   // ID of the question; equal questions have equal IDs
	Hides   []quiz.Part `json:"hides"`          // parts of the page to hide until the question is answered
}

// askedOp is the operation that a question is about: the tick at which a timer is scheduled, and the delay of the
// timer in ticks.
type askedOp struct {
	At    int64 `json:"at"`
	Delay int64 `json:"delay"`
}

// Grade is the result of grading: whether the picked options are right, and which options are right.
type Grade struct {
	Right  bool     `json:"right"`
	Answer []string `json:"answer"`        // the right options
	See    int64    `json:"see"`           // tick at the end of which the answer can be seen
	Why    string   `json:"why,omitempty"` // explanation from the lesson; "" in a quiz
	// Reasons explains each option with numbers from the run. The explanation of a right option is "".
	Reasons []string `json:"reasons"`
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
	q, err := step.Offered(ctx, questions)
	if err != nil {
		return nil, err
	}
	out.Ask = asked(q)
	return out, nil
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

// asked returns q in the form that is sent to the page, which lacks the right answer. Seed and ID are not set.
func asked(q *quiz.Question) *Question {
	out := &Question{Kind: q.Kind, Lane: q.Lane, Timer: q.Timer, At: q.At, Many: q.Many, Options: q.Options, Hides: q.Kind.Hides()}
	if q.Op != nil {
		out.Op = &askedOp{q.Op.At, q.Op.Delay}
	}
	return out
}

// GradeLesson grades the options picked at a step of the named lesson. step is the number of the step, counting from
// 1, in decimal. picks contains the indexes of the picked options, in decimal. The texts of the result are in the
// language lang.
func (a *Answers) GradeLesson(ctx context.Context, name, step string, picks []string, lang string) (*Grade, error) {
	l, err := findLesson(name)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(step)
	if err != nil || n < 1 || n > len(l.Steps) || l.Steps[n-1].Query == nil {
		return nil, texts.Errorf(texts.NotFound, "", "step: %q is not a step of this lesson with a question", texts.Clip(step))
	}
	at := &l.Steps[n-1]
	questions, err := a.quizOf(ctx, at.Scenario)
	if err != nil {
		return nil, err
	}
	q, err := at.Offered(ctx, questions)
	if err != nil {
		return nil, askFault(err)
	}
	out, err := grade(ctx, picks, questions, q, lang)
	if err != nil {
		return nil, askFault(err)
	}
	if out.Why, err = at.Fill(ctx, questions, at.Why, lang); err != nil {
		return nil, askFault(err)
	}
	return out, nil
}

// grade compares the picked options with the right answer to q, which it obtains from a. picks contains the
// indexes of the options in q.Options, in decimal. The explanations are in the language lang.
func grade(ctx context.Context, picks []string, a *quiz.Quiz, q *quiz.Question, lang string) (*Grade, error) {
	var given []string
	for _, text := range picks {
		k, err := strconv.Atoi(text)
		if err != nil || k < 0 || k >= len(q.Options) {
			return nil, texts.Errorf(texts.Invalid, "", "pick: %q is not one of the options 0 to %d", texts.Clip(text), len(q.Options)-1)
		}
		given = append(given, q.Options[k])
	}
	right, err := a.Answer(ctx, q.Query, q.At)
	if err != nil {
		return nil, err
	}
	reasons, err := a.Reasons(ctx, q, &right)
	if err != nil {
		return nil, err
	}
	out := &Grade{Right: right.Grade(given), Answer: right.Values, See: right.See, Reasons: make([]string, len(reasons))}
	for i, m := range reasons {
		if m.Key != "" {
			out.Reasons[i] = static.Messages(lang).Say(m)
		}
	}
	return out, nil
}
