package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// lessonEntry is a guided tour in the list of /api/lessons.
type lessonEntry struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
	Steps   int    `json:"steps"`
}

// lessonAnswer is the answer of /api/lesson: a tour with every number filled in.
type lessonAnswer struct {
	Name  string       `json:"name"`
	Title string       `json:"title"`
	Steps []lessonStep `json:"steps"`
}

type lessonStep struct {
	Scenario string       `json:"scenario"`
	Tick     int64        `json:"tick"` // -1: before anything
	Lanes    []string     `json:"lanes"`
	Pane     string       `json:"pane"`
	Title    string       `json:"title"`
	Text     string       `json:"text"`
	Question string       `json:"question"`      // "" if there is none
	Ask      *askedAnswer `json:"ask,omitempty"` // the options to choose from
}

// askedAnswer is a question as sent to the page, without its right answer.
type askedAnswer struct {
	Kind    sim.AskKind `json:"kind"`
	Lane    string      `json:"lane"`
	Timer   string      `json:"timer"`
	At      int64       `json:"at"`             // the tick at whose end it is asked
	Op      *askedOp    `json:"op,omitempty"`   // of "slot": the operation to come
	Many    bool        `json:"many"`           // any number of options may be right, even none
	Options []string    `json:"options"`        // in the form of the values of sim.Answer
	Seed    string      `json:"seed,omitempty"` // of the student
}

type askedOp struct {
	At    int64 `json:"at"`
	Delay int64 `json:"delay"`
}

// gradedAnswer reports whether the picked options were right, and which are.
type gradedAnswer struct {
	Right  bool     `json:"right"`
	Answer []string `json:"answer"`
	See    int64    `json:"see"` // the tick at whose end it can be seen
	Why    string   `json:"why,omitempty"`
}

// lessons lists the guided tours.
func (s *Server) lessons(c echo.Context) error {
	lang := s.language(c)
	list := []lessonEntry{}
	for _, l := range sim.Lessons() {
		list = append(list, lessonEntry{l.Name, l.Title.In(lang), l.Summary.In(lang), len(l.Steps)})
	}
	return c.JSON(http.StatusOK, list)
}

// lesson sends one tour.
func (s *Server) lesson(c echo.Context) error {
	l, err := tourOf(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	lang := s.language(c)
	out := lessonAnswer{Name: l.Name, Title: l.Title.In(lang)}
	for i := range l.Steps {
		step, err := s.lessonStep(ctx, &l.Steps[i], lang)
		if err != nil {
			return askFault(err)
		}
		out.Steps = append(out.Steps, *step)
	}
	return c.JSON(http.StatusOK, out)
}

func tourOf(c echo.Context) (*sim.Lesson, error) {
	l, ok := sim.FindLesson(c.QueryParam("name"))
	if !ok {
		return nil, deny(http.StatusNotFound, "name: %q is not the name of a lesson", usererr.Clip(c.QueryParam("name")))
	}
	return l, nil
}

func (s *Server) lessonStep(ctx context.Context, step *sim.LessonStep, lang string) (*lessonStep, error) {
	a, err := s.askerOf(ctx, step.Scenario)
	if err != nil {
		return nil, err
	}
	out := &lessonStep{Scenario: step.Scenario, Tick: step.Tick, Lanes: step.Lanes, Pane: step.Pane, Title: step.Title.In(lang)}
	if out.Text, err = step.Fill(ctx, a, step.Text, lang); err != nil || step.Ask == nil {
		return out, err
	}
	if out.Question, err = step.Fill(ctx, a, step.Question, lang); err != nil {
		return nil, err
	}
	q, err := step.Offered(ctx, a)
	if err != nil {
		return nil, err
	}
	out.Ask = asked(q)
	return out, nil
}

// askerOf returns the Asker of a built-in scenario, even if the file of the command line has its
// name.
func (s *Server) askerOf(ctx context.Context, scenario string) (*sim.Asker, error) {
	p, err := s.library.Builtin(scenario)
	if err != nil {
		return nil, err
	}
	run, err := s.library.Store.Open(ctx, p)
	if err != nil {
		return nil, err
	}
	s.library.Store.Look(ctx, run)
	return s.asker(run), nil
}

// asker returns the Asker of a run. It takes the results of lanes from the cached comparisons.
func (s *Server) asker(run *sim.Run) *sim.Asker {
	return &sim.Asker{Run: run, Results: func(ctx context.Context) ([]sim.LaneResult, error) {
		chart, err := s.chart(ctx, run)
		if err != nil {
			return nil, err
		}
		return chart.Results, nil
	}}
}

func asked(q *sim.Question) *askedAnswer {
	out := &askedAnswer{Kind: q.Kind, Lane: q.Lane, Timer: q.Timer, At: q.At, Many: q.Many, Options: q.Options}
	if q.Op != nil {
		out.Op = &askedOp{q.Op.At, q.Op.Delay}
	}
	return out
}

// gradeLesson grades the options picked at a step of a tour.
func (s *Server) gradeLesson(c echo.Context) error {
	l, err := tourOf(c)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(c.QueryParam("step"))
	if err != nil || n < 1 || n > len(l.Steps) || l.Steps[n-1].Ask == nil {
		return deny(http.StatusNotFound, "step: %q is not a step of this lesson with a question", usererr.Clip(c.QueryParam("step")))
	}
	step := &l.Steps[n-1]
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	a, err := s.askerOf(ctx, step.Scenario)
	if err != nil {
		return err
	}
	q, err := step.Offered(ctx, a)
	if err != nil {
		return askFault(err)
	}
	out, err := grade(ctx, c, a, q, step.Tick)
	if err != nil {
		return askFault(err)
	}
	if out.Why, err = step.Fill(ctx, a, step.Why, s.language(c)); err != nil {
		return askFault(err)
	}
	return c.JSON(http.StatusOK, out)
}

// grade compares the picked options (pick=0&pick=2, numbered from 0) with the engine's answer.
func grade(ctx context.Context, c echo.Context, a *sim.Asker, q *sim.Question, tick int64) (*gradedAnswer, error) {
	var given []string
	for _, text := range c.QueryParams()["pick"] {
		k, err := strconv.Atoi(text)
		if err != nil || k < 0 || k >= len(q.Options) {
			return nil, deny(http.StatusBadRequest, "pick: %q is not one of the options 0 to %d", usererr.Clip(text), len(q.Options)-1)
		}
		given = append(given, q.Options[k])
	}
	right, err := a.Answer(ctx, q.Ask, tick)
	if err != nil {
		return nil, err
	}
	return &gradedAnswer{Right: right.Grade(given), Answer: right.Values, See: right.See}, nil
}

// askFault returns the error of an answer about a question that failed with err.
func askFault(err error) error {
	var ours *echo.HTTPError
	switch {
	case errors.As(err, &ours):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return notComputed()
	case errors.Is(err, sim.ErrNoAnswer):
		return deny(http.StatusNotFound, "there is nothing to ask here")
	}
	return err
}
