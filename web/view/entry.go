package view

import (
	"context"
	"encoding/json"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// pastMax is the maximum number of events before the cursor from which the sentence of the entry view is made.
const pastMax = 400

// Entry returns the entry view of run at the position of snap, with texts in the language lang. events is an "events"
// message, long is whether the run has more events than a page has, so that it fetches those around its position, and alone
// is whether the URL selects neither a scenario nor a position.
func Entry(ctx context.Context, o Options, run *sim.Run, snap *engine.Snapshot, lang string, alone, long bool, events []byte) (templates.Entry, error) {
	e := templates.Entry{Page: Lab(o, run, snap, lang), Alone: alone, Events: json.RawMessage(events)}
	e.Sheet = static.EntrySheet
	last, err := run.SeqAt(ctx, snap.Tick)
	if err != nil {
		return e, err
	}
	e.Whole = last == snap.Seq && snap.Seq+snap.Tick > 0
	e.Steps = templates.EntrySteps{Back: -1, Next: -1}
	if snap.Seq > 0 {
		if e.Steps.Back, err = run.Steps(ctx, snap.Seq, -1); err != nil {
			return e, err
		}
	}
	next, err := run.Steps(ctx, snap.Seq, 1)
	if err != nil {
		return e, err
	}
	if next > snap.Seq {
		e.Steps.Next = next
	}
	past, err := run.Recent(ctx, snap.Seq, pastMax)
	if err != nil {
		return e, err
	}
	due := map[uint32]int64{}
	for i := range past.Records {
		h := happened(run, &past.Records[i])
		switch h.Kind {
		case "schedule":
			due[h.ID] = h.Due
		case "cancel", "mark":
			h.Due = due[h.ID]
		}
		e.Past = append(e.Past, h)
	}
	e.Run = entryRunOf(&e, run, long)
	e.Faces, err = entryFaces(ctx, &e, run, snap, long)
	return e, err
}

// happened returns the event in record r as the entry view describes it.
func happened(run *sim.Run, r *engine.Record) templates.Happened {
	p := run.Program()
	h := templates.Happened{Tick: r.Tick, Lane: int(r.Lane), Kind: r.Kind.String(), ID: r.ID, Level: int(r.ToLevel), Slot: int(r.ToSlot),
		FromLevel: int(r.FromLevel), Rounds: r.X}
	if r.ID != 0 {
		h.Name = p.Name(r.ID)
	}
	switch r.Kind {
	case wheel.KindSchedule:
		h.Operation = r.Run <= 1
	case wheel.KindCancel, wheel.KindMark:
		h.Operation = true
	case wheel.KindHand:
		h.Level, h.Slot, h.Rounds = int(r.FromLevel), int(r.FromSlot), int64(r.Before)
	case wheel.KindPlace:
		if r.Code == wheel.CodeStale { // X is a key
			h.Rounds = wheel.NoRounds
		}
	case wheel.KindExpire:
		h.Late = r.Late(p.Start)
	}
	if r.Kind.HasDue() {
		h.Due = r.Due - p.Start
	}
	return h
}

// entryRun is the data about a run for the scripts of the entry view.
type entryRun struct {
	Run   string      `json:"run"`  // short digest
	Tick  string      `json:"tick"` // length of a base tick
	Start int64       `json:"start"`
	Until int64       `json:"until"`
	Plays bool        `json:"plays"`           // whether the page plays by itself
	Names []any       `json:"names,omitempty"` // ID, name and 0 of each timer, if the run has too many events for a page
	Lanes []entryLane `json:"lanes"`
}

type entryLane struct {
	ID        string `json:"id"`
	Algorithm string `json:"algorithm"`
	algorithms.Facts
	Params map[string]any   `json:"params"`
	Levels []protocol.Level `json:"levels"` // those before the first event
}

func entryRunOf(e *templates.Entry, run *sim.Run, long bool) entryRun {
	p, start := run.Program(), run.Start().Snapshot(0)
	r := entryRun{Run: e.Page.Run, Tick: e.Tick, Start: p.Start, Until: p.Until, Plays: e.Alone}
	facts := p.Scenario.Facts()
	for i := range p.Scenario.Lanes {
		spec := &p.Scenario.Lanes[i]
		l := entryLane{ID: spec.ID, Algorithm: spec.Algorithm, Facts: facts[i], Params: spec.Params, Levels: []protocol.Level{}}
		for _, v := range start.Lanes[i].Levels {
			l.Levels = append(l.Levels, protocol.Level{int64(v.Level), int64(v.Slots), v.Width})
		}
		r.Lanes = append(r.Lanes, l)
	}
	if long {
		for id := uint32(1); int(id) <= p.Timers(); id++ {
			r.Names = append(r.Names, id, p.Name(id), 0)
		}
	}
	return r
}
