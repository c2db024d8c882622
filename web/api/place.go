package api

import (
	"context"
	"net/url"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session"
)

// Place is the run and the position that a URL selects. If the URL selects something that does not exist, the default
// scenario or the start of the run is used instead, and Problem explains why.
type Place struct {
	Run     *sim.Run
	At      sim.Position
	Problem *texts.Error // why Run and At are not what the URL selects; nil if they are
}

// Find returns the run and the position that the query parameters run or scenario, t and seq select. The store keeps the
// run until ctx is done. If the parameter mine is not "", Find ignores the others and returns the start of the default
// scenario, because the page then opens the user's own scenario, which the browser has stored.
func (a *Answers) Find(ctx context.Context, q url.Values) (Place, error) {
	if q.Get("mine") != "" {
		q = nil // a position in the user's own run, which the browser keeps and its scripts open again
	}
	var problem *texts.Error
	if digest := q.Get("run"); digest != "" {
		run, err := a.Look(ctx, digest)
		if err == nil {
			return FindIn(ctx, run, q)
		}
		problem = texts.ErrorOf(err)
		q = nil
	}
	p, err := a.library.Program(q.Get("scenario"))
	if texts.Is(err, texts.NotFound) {
		problem = texts.ErrorOf(err)
		p, err = a.library.Program("")
		q = nil
	}
	if err != nil {
		return Place{At: sim.Start}, err
	}
	run, err := a.library.Store.Open(ctx, p)
	if err != nil {
		return Place{At: sim.Start}, err
	}
	a.library.Store.Retain(ctx, run)
	found, err := FindIn(ctx, run, q)
	if problem != nil {
		found.Problem = problem
	}
	return found, err
}

// FindIn returns run and the position in it that the query parameters t and seq select. If these parameters are
// invalid, the position is the start of the run, and Problem explains why. If the run is not computed up to the
// position before ctx is done, FindIn returns an error.
func FindIn(ctx context.Context, run *sim.Run, q url.Values) (Place, error) {
	at, err := Position(q)
	if err == nil {
		at, err = Resolve(ctx, run, at)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return Place{Run: run, At: sim.Start}, NotComputed() // the start of the run could not be rendered in time either
	case err == nil:
		return Place{Run: run, At: at}, nil
	case texts.ErrorOf(err) == nil:
		return Place{Run: run, At: sim.Start}, err
	}
	return Place{run, sim.Start, texts.ErrorOf(err)}, nil
}

// Library returns the scenarios that URLs can select.
func (a *Answers) Library() *session.Library { return a.library }

// Look returns the run whose digest begins with digest, the value of the query parameter "run", and makes the store
// keep the run until ctx is done.
func (a *Answers) Look(ctx context.Context, digest string) (*sim.Run, error) {
	run, err := a.Run("run", digest)
	if err == nil {
		a.library.Store.Retain(ctx, run)
	}
	return run, err
}
