package api

import (
	"context"
	"errors"
	"strconv"

	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// algorithmList returns the list of all algorithms in the form of `wheelscope algorithms --json`.
func algorithmList(context.Context, *request) (any, error) {
	return knowledge.Entries(algorithms.Catalogue()), nil
}

// scenarioList returns the built-in scenarios in the form of `wheelscope scenarios --json`.
func scenarioList(context.Context, *request) (any, error) { return library.Builtins(), nil }

// digest returns an TraceDigest, which contains the SHA-256 digest in the end line of the trace of a.run. Two
// servers that return the same digest have computed the same events.
func digest(ctx context.Context, a *request) (any, error) {
	ctx, cancel := inTime(ctx)
	defer cancel()
	return a.answers.Digest(ctx, a.run)
}

// comparison returns an Comparison of the lanes of a.run.
func comparison(ctx context.Context, a *request) (any, error) {
	ctx, cancel := inTime(ctx)
	defer cancel()
	return a.answers.Compare(ctx, a.run, a.Lang)
}

// spread returns the scenario of a.run as a SpreadScenario.
func spread(_ context.Context, a *request) (any, error) {
	return SpreadScenario{string(compare.Spread(a.run.Program()).AppendFile(nil))}, nil
}

// costs returns the cost of each lane of a.run at every tick of a range. The parameters "from" and "to" are the first
// and the last tick of the range.
func costs(ctx context.Context, a *request) (any, error) {
	var at [2]int64
	for i, name := range [...]string{"from", "to"} {
		text := a.Query.Get(name)
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, texts.Errorf(texts.Invalid, "", "%s: %q is not a tick", name, texts.Clip(text))
		}
		at[i] = n
	}
	return Costs(ctx, a.run, at[0], at[1])
}

// lectures returns the list of built-in lectures.
func lectures(_ context.Context, a *request) (any, error) { return Lectures(a.Lang), nil }

// lectureFile returns the file of the built-in lecture whose name is the "name" parameter.
func lectureFile(_ context.Context, a *request) (any, error) { return Lecture(a.Query.Get("name")) }

// stop answers the queries of a stop of a lecture. The parameter "scenario" or "run" selects the run, "t" is the tick of the stop,
// and "queries" its facts and its question as JSON.
func stop(ctx context.Context, a *request) (any, error) {
	ctx, cancel := inTime(ctx)
	defer cancel()
	q := a.Query
	return a.answers.LectureStop(ctx, q.Get("scenario"), q.Get("run"), q.Get("t"), q.Get("queries"), a.Lang)
}

// quizQuestion returns a question about the next events of a.run. The question has no kind if there is nothing to ask.
func quizQuestion(ctx context.Context, a *request) (any, error) {
	place, err := a.answers.QuizPlace(a.run, a.Query.Get("t"), a.Query.Get("seed"), a.Query.Get("n"), a.Query.Get("seen"))
	if err != nil {
		return nil, err
	}
	ctx, cancel := inTime(ctx)
	defer cancel()
	return place.Ask(ctx, a.Lang)
}

// step returns the events of one step of a.run, but at most the first NextEventsMax of them. It is the step that
// follows the event whose number is the "seq" parameter.
func step(ctx context.Context, a *request) (any, error) {
	return aboutEvents(ctx, func(ctx context.Context) (any, error) {
		seq, err := Integer(a.Query, "seq", 0)
		if err != nil {
			return nil, err
		}
		return NextStep(ctx, a.run, seq)
	})
}

// events returns the last n events of a.run up to the event with the number seq. The parameters "n" and "seq" of the
// URL contain these numbers.
func events(ctx context.Context, a *request) (any, error) {
	return aboutEvents(ctx, func(ctx context.Context) (any, error) {
		seq, err := Integer(a.Query, "seq", 0)
		if err != nil {
			return nil, err
		}
		n, err := Integer(a.Query, "n", 1)
		if err != nil {
			return nil, err
		}
		return LastEvents(ctx, a.run, seq, n)
	})
}

// life returns the events of one timer in all lanes of a.run. The "id" parameter is the ID of the timer.
func life(ctx context.Context, a *request) (any, error) {
	return aboutEvents(ctx, func(ctx context.Context) (any, error) {
		id, err := Integer(a.Query, "id", 1)
		if err != nil {
			return nil, err
		}
		return TimerHistory(ctx, a.run, id)
	})
}

// aboutEvents calls ask with a context that expires after EventsWait and returns its answer. If the context
// expires first, the error is NotComputed(). If ask returns an error that was caused by a parameter, the
// error is an Error of kind Invalid. Other errors, such as a shortage of memory, are returned unchanged.
func aboutEvents(ctx context.Context, ask func(context.Context) (any, error)) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, EventsWait)
	defer cancel()
	answer, err := ask(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, NotComputed()
	}
	return answer, err
}
