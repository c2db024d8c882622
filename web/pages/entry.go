package pages

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/view"
)

// placeParameters lists the query parameters that say what the page at "/" shows. With any of them, it does not play by
// itself. The page always opens in the laboratory with one of labParameters, which the entry view does not have.
var (
	placeParameters = []string{"scenario", "run", "t", "seq", "mine", "session", "embed", "follow", "lane", "pane", "lecture"}
	labParameters   = []string{"mine", "session", "embed", "follow", "lane", "pane", "lecture"}
)

// Chosen is the view that a visitor has chosen, which a browser remembers.
type Chosen int

const (
	NotChosen  Chosen = iota
	Entry             // the visitor has returned to the entry view
	Laboratory        // the visitor has followed the link to the laboratory
)

// Choice returns the view that a visitor chooses by opening a URL of the page at "/" with query q, which is that of a
// link from one view to the other.
func Choice(q url.Values) Chosen {
	switch {
	case q.Get("remember") == "":
		return NotChosen
	case q.Get("view") == "entry":
		return Entry
	}
	return Laboratory
}

// opensEntry reports whether a URL with query q opens the entry view, as ok, and whether it says nothing about what the
// page shows, as alone. lab is whether the visitor has chosen the laboratory before. A scenario that does not fit opens
// in the laboratory nevertheless.
func opensEntry(q url.Values, lab bool) (alone, ok bool) {
	if q.Has("view") {
		return false, q.Get("view") == "entry" && !q.Has("mine") && !q.Has("embed")
	}
	alone = !slices.ContainsFunc(placeParameters, q.Has)
	return alone, alone || !lab && !slices.ContainsFunc(labParameters, q.Has)
}

// entry returns the entry view.
func (p *Pages) entry(ctx context.Context, o view.Options, r *Request, d *Document, place *api.Place, snap *engine.Snapshot, alone bool, b boot) (templ.Component, error) {
	events, err := eventsFor(ctx, place.Run, snap.Seq)
	if err != nil {
		return nil, err
	}
	v, err := view.Entry(ctx, o, place.Run, snap, r.Lang, alone, place.Run.EventsComputed() > protocol.EventsMax, events)
	if err != nil {
		return nil, err
	}
	if place.Problem != nil {
		v.Problem = protocol.Describe(place.Problem, r.Lang).Error()
	}
	v.Boot = b
	d.Problem = place.Problem
	return templates.EntryView(v), nil
}

// eventsWait is the maximum time for which a page waits for its run to be computed, so that it can contain all events.
const eventsWait = time.Second

// eventsFor returns an "events" message with the whole run if it fits into a page, and otherwise with the event after
// the cursor, which is after event seq: the page then fetches those around it.
func eventsFor(ctx context.Context, run *sim.Run, seq int64) ([]byte, error) {
	wait, stop := context.WithTimeout(ctx, eventsWait)
	run.ChunkOf(wait, sim.After(protocol.EventsMax+1)) // the error is that of wait, or one that ReadEvents returns, too
	stop()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	part, err := protocol.ReadEvents(ctx, run, seq, 0, protocol.EventsMax)
	if err == nil && !part.End {
		part, err = protocol.ReadEvents(ctx, run, seq, seq, 1)
	}
	return part.Data, err
}
