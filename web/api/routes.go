package api

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// Request is a request for information about a run or the program, as given by a URL.
type Request struct {
	Path  string     // path below the base path, such as "/api/step"
	Query url.Values // parameters of the URL
	Lang  string     // language of texts in the answer: "en" or "zh"
}

// Caching determines how long an answer may be cached.
type Caching int

// Values of Caching.
const (
	Unspecified Caching = iota // the response has no Cache-Control header
	CacheNever                 // the answer must not be cached
	CacheForRun                // the answer may be cached for some time, because it depends only on the run and the language
)

// Route is a route.
type Route struct {
	Path       string   // path below the base path
	Parameters []string // parameters that the URL may have, in alphabetical order
	Caching    Caching
	Costly     bool                                               // whether an answer may take seconds of processor time
	answer     func(ctx context.Context, a *request) (any, error) // returns the answer, which is sent as JSON
}

// Routes lists the routes of questions that servers and the static site have.
var Routes = []Route{
	{"/api/algorithms", []string{"lang"}, Unspecified, false, algorithmList},
	{"/api/scenarios", []string{"lang"}, Unspecified, false, scenarioList},
	{"/api/digest", []string{"lang", "run"}, CacheForRun, true, onRun(digest)},
	{"/api/compare", []string{"lang", "run"}, CacheForRun, true, onRun(comparison)},
	{"/api/choose", ChooseParameters, CacheNever, true, choose},
	{"/api/choose/scenario", ChooseParameters, CacheNever, true, chosenScenario},
	{"/api/spread", []string{"lang", "run"}, CacheForRun, true, onRun(spread)},
	{"/api/costs", []string{"from", "lang", "run", "to"}, CacheForRun, false, onRun(costs)},
	{"/api/lectures", []string{"lang"}, Unspecified, false, lectures},
	{"/api/lecture", []string{"lang", "name"}, Unspecified, false, lectureFile},
	{"/api/stop", []string{"lang", "queries", "run", "scenario", "t"}, CacheForRun, false, stop},
	{"/api/quiz", []string{"lang", "n", "run", "seed", "seen", "t"}, Unspecified, false, onRun(quizQuestion)},
	{"/api/step", []string{"lang", "run", "seq"}, CacheNever, false, onRun(step)},
	{"/api/events", []string{"lang", "n", "run", "seq"}, CacheNever, false, onRun(events)},
	{"/api/life", []string{"id", "lang", "run"}, CacheNever, false, onRun(life)},
}

// RouteOf returns the route with the given path. The boolean result is false if there is none.
func RouteOf(path string) (*Route, bool) {
	i := slices.IndexFunc(Routes, func(k Route) bool { return k.Path == path })
	if i < 0 {
		return nil, false
	}
	return &Routes[i], true
}

// request is a question that is being answered.
type request struct {
	Request
	answers *Answers
	// run is the run whose digest begins with the "run" parameter, or nil if the question has no such parameter.
	// The store retains it until the context of the question is done.
	run *sim.Run
}

// Answer returns the answer to q, a request for route k, as a value to encode as JSON. It uses answers to compute the
// value.
func (k *Route) Answer(ctx context.Context, answers *Answers, q Request) (any, error) {
	return k.answer(ctx, &request{Request: q, answers: answers})
}

// onRun returns a function that stores the run selected by the "run" parameter in a.run and then calls ask. If there is
// no such run, the function returns an error and does not call ask.
func onRun(ask func(ctx context.Context, a *request) (any, error)) func(ctx context.Context, a *request) (any, error) {
	return func(ctx context.Context, a *request) (_ any, err error) {
		if a.run, err = a.answers.Look(ctx, a.Query.Get("run")); err != nil {
			return nil, err
		}
		return ask(ctx, a)
	}
}

// CheckParameters returns an error if query, the raw query of the URL with the given path, cannot be parsed or
// has a parameter that is not in known. A misspelt parameter would otherwise silently change the answer.
func CheckParameters(path, query string, known []string) error {
	given, err := url.ParseQuery(query)
	if err != nil {
		return texts.Errorf(texts.Invalid, "", "what follows the question mark of the address can't be read: %s", texts.Clip(err.Error()))
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, name) {
			return texts.Errorf(texts.Invalid, "", "%q is not a parameter of %s; expected one of %s", texts.Clip(name), path, strings.Join(known, ", "))
		}
	}
	return nil
}

// Integer returns the value of the named parameter in q. The parameter is required and must be an integer in [min,
// wheel.TickMax].
func Integer(q url.Values, name string, min int64) (int64, error) {
	text := q.Get(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < min || n > int64(wheel.TickMax) {
		return 0, texts.Errorf(texts.Invalid, name, "%q is not a whole number, %d or more", texts.Clip(text), min)
	}
	return n, nil
}

// inTime returns a context that expires after protocol.AnswerWait, the timeout for the answer to a request.
func inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, protocol.AnswerWait)
}
