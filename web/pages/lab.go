package pages

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/view"
)

// lab returns the lab page, with the scenario and the position that the query selects. If the scenario or the position
// does not exist, the page shows the default scenario or the start of the run instead, and explains why.
func (p *Pages) lab(ctx context.Context, r *Request, d *Document) (templ.Component, error) {
	if r.Query.Get("view") == "race" {
		return p.race(ctx, r, d)
	}
	place, err := p.Answers.Find(ctx, r.Query)
	if err != nil {
		return nil, err
	}
	run, library := place.Run, p.Answers.Library()
	snap, err := run.Seek(ctx, place.At, templates.TimersShown)
	if err != nil {
		return nil, err
	}
	o := p.options(r)
	boot := boot{
		Socket: p.socketPath(run, place.At, r.Lang),
		Base:   p.Base, Lang: r.Lang, Limits: protocol.Limits(), Custom: !library.IsBuiltin(run.Program()),
	}
	alone, simple := opensEntry(r.Query, r.Lab)
	fits := protocol.FitsEntry(run.Program())
	if simple && fits {
		return p.entry(ctx, o, r, d, &place, snap, alone, boot)
	}
	v := view.Lab(o, run, snap, r.Lang)
	v.Simple, v.Staged = fits, simple
	v.Embed, v.Bare = r.Query.Get("embed") == "1", slices.Contains([]string{"none", "0"}, r.Query.Get("controls")) // 0: addresses made before November 2026
	v.LayOut(r.Query.Get("view"), r.Query.Get("lane"))
	v.Step, v.Steps = run.StepNumber(ctx, nil, snap.Seq)
	if place.Problem != nil {
		v.Problem = protocol.Describe(place.Problem, r.Lang).Error()
	}
	v.Boot = boot
	d.Problem, d.Embeddable = place.Problem, v.Embed
	return templates.PageView(v), nil
}

// boot is the initial data for the page's scripts. The page contains it as JSON.
type boot struct {
	Socket string           `json:"socket"` // path and query of the URL for opening a WebSocket at the position that the page shows
	Base   string           `json:"base"`
	Lang   string           `json:"lang"`
	Limits map[string]int64 `json:"limits"`
	Custom bool             `json:"custom"` // false for a built-in scenario without changes, true for any other
}

// socketPath returns the path and query of the URL for opening a WebSocket with a new session that shows run. at is the initial position of its cursor, and lang is the language of its messages.
func (p *Pages) socketPath(run *sim.Run, at sim.Position, lang string) string {
	q := url.Values{"lang": {lang}}
	library, shown := p.Answers.Library(), run.Program()
	switch {
	case shown == library.Given:
	case library.IsBuiltin(shown):
		q.Set("scenario", shown.Scenario.Name)
	default:
		q.Set("run", run.Digest()[:sim.DigestShort])
	}
	switch {
	case at.ByTick():
		q.Set("t", strconv.FormatInt(at.Tick, 10))
	case !at.IsStart():
		q.Set("seq", strconv.FormatInt(at.Seq, 10))
	}
	return p.Base + "/ws?" + q.Encode()
}
