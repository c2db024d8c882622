package api

import (
	"context"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/program"
)

// Estimate is the answer to a request for /api/estimate: the size of a scenario, at least how many events its run has,
// and at most how much memory the run needs.
type Estimate struct {
	Name   string `json:"name"`
	Title  string `json:"title"` // title in the language of the request
	Lanes  int    `json:"lanes"`
	Timers int    `json:"timers"`
	Events int64  `json:"events"`        // lower bound on the number of events
	Bytes  int64  `json:"bytes"`         // upper bound on the memory that the run needs at any time, in bytes
	Own    bool   `json:"own,omitempty"` // whether it has a wheel in JavaScript
}

// Estimate plans the scenario in text and returns its size, and bounds on the size of its run, which is
// neither computed nor stored. The title in the result is in the language lang.
func (a *Answers) Estimate(ctx context.Context, text []byte, lang string) (*Estimate, error) {
	ctx, leave, err := a.library.Store.Queue().Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	plan, ended := a.library.Store.Planning(ctx)
	defer ended()
	p, err := program.LoadWith(text, plan)
	if late := ctx.Err(); late != nil {
		return nil, late
	}
	if err != nil {
		return nil, texts.WithKind(texts.Unprocessable, err)
	}
	sc, e := p.Scenario, p.Estimate()
	return &Estimate{Name: sc.Name, Title: sc.Title.In(lang), Lanes: len(sc.Lanes), Timers: p.Timers(), Events: e.Events, Bytes: e.Bytes, Own: e.OwnBytes > 0}, nil
}
