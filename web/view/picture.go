package view

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/internal/picture"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/api"
)

// LaneAt identifies a lane of a run and a position in the run.
type LaneAt struct {
	Run  *sim.Run
	Lane string // ID of the lane; "" means the first lane
	At   sim.Position
	Lang string // language of the texts in the picture
}

// LanePicture writes a picture of a lane, as the page shows it, to w. It waits until the run is computed up to
// the position. It returns an error if w fails, ctx is done, or a field of at or o is invalid.
func LanePicture(ctx context.Context, w io.Writer, at LaneAt, o picture.Options) error {
	p := at.Run.Program()
	k, err := laneIndex(p, at.Lane)
	if err != nil {
		return err
	}
	where, err := api.Resolve(ctx, at.Run, at.At)
	if err != nil {
		return err
	}
	snap, err := at.Run.Seek(ctx, where, templates.DotsMax)
	if err != nil {
		return err
	}
	lane := laneForPicture(p, k, &snap.Lanes[k], at.Lang)
	if lane.Step, err = stepBefore(ctx, at.Run, k, snap); err != nil {
		return err
	}
	texts := static.Texts(at.Lang)
	page := &templates.Page{Lang: at.Lang, Name: p.Scenario.Name, Title: texts.Called(p.Scenario.Called(at.Lang)), Until: p.Until, Now: snap.Tick, Seq: snap.Seq, Wall: wallClock(snap.Tick, p.Start, p.Scenario.Tick), Texts: texts}
	return picture.Write(ctx, w, page, &lane, o)
}

// stepBefore returns what led to the state of lane k in snap: its tick if that has ended, and otherwise its last step. It
// returns nil before the first event, and if a state has too many timers for their ways to be drawn.
func stepBefore(ctx context.Context, run *sim.Run, k int, snap *engine.Snapshot) (*templates.Step, error) {
	if snap.Seq == 0 {
		return nil, nil
	}
	last, err := run.SeqAt(ctx, snap.Tick)
	if err != nil {
		return nil, err
	}
	from := last
	if last == snap.Seq {
		from, err = run.SeqAt(ctx, snap.Tick-1)
	} else {
		from, err = run.Steps(ctx, snap.Seq, -1)
	}
	if err != nil {
		return nil, err
	}
	before, err := run.Seek(ctx, sim.After(from), templates.DotsMax)
	if err != nil || before.Lanes[k].Live > templates.DotsMax {
		return nil, err
	}
	moves, err := movesIn(ctx, run, from, snap.Seq)
	if err != nil {
		return nil, err
	}
	ended, _, err := endedBefore(ctx, run, from, snap.Seq, snap.Tick)
	if err != nil {
		return nil, err
	}
	step := &templates.Step{Before: placesOf(run.Program(), before.Lanes[k].Places, templates.DotsMax), Moves: moves[k]}
	for _, e := range ended[k] {
		if !e.Earlier {
			step.Ended = append(step.Ended, e)
		}
	}
	return step, nil
}

// laneForPicture returns lane k of p in the state snap. If the lane has more than templates.DotsMax timers, the
// result omits them, so that the picture shows the number of timers in each place instead.
func laneForPicture(p *program.Program, k int, snap *engine.LaneSnapshot, lang string) templates.Lane {
	info := p.Scenario.Facts()
	lane := laneOf(p, k, &info[k], snap, lang)
	most := templates.DotsMax
	if lane.Totals.Live > templates.DotsMax {
		most = 0
	}
	lane.Places = placesOf(p, snap.Places, most)
	return lane
}

// laneIndex returns the index of the lane of p with the given ID, or 0 if id is "". It returns an error if there is no
// such lane.
func laneIndex(p *program.Program, id string) (int, error) {
	var ids []string
	for i := range p.Scenario.Lanes {
		ids = append(ids, p.Scenario.Lanes[i].ID)
	}
	if id == "" {
		return 0, nil
	}
	k := slices.Index(ids, id)
	if k < 0 {
		return 0, texts.Errorf(texts.Invalid, "lane", "%q is not one of %s", texts.Clip(id), strings.Join(ids, ", "))
	}
	return k, nil
}
