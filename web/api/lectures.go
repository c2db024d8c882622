package api

import (
	"context"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/lecture"
	"github.com/wheelscope/wheelscope/sim/quiz"
)

// LectureEntry describes a built-in lecture. The answer to a request for /api/lectures is a list of LectureEntry values.
type LectureEntry struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
	Stops   int    `json:"stops"` // number of stops
}

// Lectures returns the list of built-in lectures, with texts in the language lang.
func Lectures(lang string) []LectureEntry {
	list := []LectureEntry{}
	for _, l := range lecture.Builtins() {
		list = append(list, LectureEntry{l.Name, l.Title.In(lang), l.Summary.In(lang), len(l.Stops)})
	}
	return list
}

// Lecture returns the file of a built-in lecture, or an Error of kind NotFound.
func Lecture(name string) (jsontext.Value, error) {
	data := lecture.Data(name)
	if data == nil {
		return nil, texts.Errorf(texts.NotFound, "", "name: %q is not the name of a lecture", texts.Clip(name))
	}
	return data, nil
}

// Stop is the answer to a request for /api/stop: what a stop of a lecture says about its run.
type Stop struct {
	Facts map[string]string `json:"facts"`         // the answers to the facts, as they are inserted into texts
	Ask   *Question         `json:"ask,omitempty"` // the question, without its text; nil if the stop has none
}

// LectureStop answers the queries of a stop of a lecture. scenario is the name of a built-in scenario; if it is "", digest is that of
// the run. t is the tick of the stop, or −1, and queries its queries as JSON.
func (a *Answers) LectureStop(ctx context.Context, scenario, digest, t, queries, lang string) (*Stop, error) {
	at, err := strconv.ParseInt(t, 10, 64)
	if err != nil {
		return nil, texts.Errorf(texts.Invalid, "", "t: %q is not a tick", texts.Clip(t))
	}
	q, err := lecture.ReadQueries([]byte(queries))
	if err != nil {
		return nil, texts.Below("queries", err)
	}
	questions, err := a.quizOf(ctx, scenario, digest)
	if err != nil {
		return nil, err
	}
	return StopOf(ctx, questions, q, at, lang)
}

// StopOf answers the queries of a stop at tick at, or −1, about the run of questions.
func StopOf(ctx context.Context, questions *quiz.Quiz, q *lecture.Queries, at int64, lang string) (*Stop, error) {
	out := &Stop{}
	var err error
	if out.Facts, err = q.Values(ctx, questions, at); err != nil {
		return nil, askFault(err)
	}
	if q.Ask == nil {
		return out, nil
	}
	question, err := q.Asked(ctx, questions, at)
	if err != nil {
		return nil, askFault(err)
	}
	out.Ask = questionOf(questions.Run.Program(), question, lang)
	return out, nil
}

// quizOf returns a Quiz for a run, and makes the store keep the run until ctx is done. The run is that of the named built-in
// scenario or, if the name is "", the run with the digest. The scenario given on the command line, which may have the same name
// as a built-in one, is ignored.
func (a *Answers) quizOf(ctx context.Context, scenario, digest string) (*quiz.Quiz, error) {
	if scenario == "" {
		run, err := a.Look(ctx, digest)
		if err != nil {
			return nil, err
		}
		return a.quiz(run), nil
	}
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
