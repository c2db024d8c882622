package view

import (
	"context"
	"errors"
	"math"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/wheel"
)

// Limits of the pictures in the entry view.
const (
	endedMax = 20_000  // maximum number of events before the cursor from which the trays of a picture are filled
	movesMax = 1 << 16 // maximum number of events of a tick from which the ways of timers are found; with more, none is drawn
)

// entryFaces returns the pictures of the lanes of e at the position of snap. If long is true, trays have the timers of the tick.
func entryFaces(ctx context.Context, e *templates.Entry, run *sim.Run, snap *engine.Snapshot, long bool) ([]templates.Face, error) {
	tick, seq := snap.Tick, snap.Seq
	opening, err := run.SeqAt(ctx, tick-1)
	if err != nil {
		return nil, err
	}
	last, err := run.SeqAt(ctx, tick)
	if err != nil {
		return nil, err
	}
	var before, after, open *engine.Snapshot
	from, to, moved, clock := opening, last, e.Whole, float64(tick)
	switch {
	case e.Whole:
		clock += 0.5
		before, after = snapBefore(ctx, run, tick), snapAt(ctx, run, tick)
	case seq == 0:
		before, after = snapBefore(ctx, run, 0), snapAt(ctx, run, 0)
	default:
		from, to = seq, min(seq+1, last)
		clock += 0.5 * float64(seq-opening) / float64(last-opening)
		before, _ = run.Seek(ctx, sim.After(seq), wheel.AllEntries)
		after, _ = run.Seek(ctx, sim.After(to), wheel.AllEntries)
		open = snapBefore(ctx, run, tick)
	}
	if before == nil || after == nil {
		return nil, errors.Join(ctx.Err(), errNoState)
	}
	moves, err := movesIn(ctx, run, from, to)
	if err != nil {
		return nil, err
	}
	var earlier [][]templates.FaceMove
	if open != nil {
		if earlier, err = movesIn(ctx, run, opening, seq); err != nil {
			return nil, err
		}
	}
	done := from
	if e.Whole {
		done = opening
	}
	oldest := int64(0)
	if long {
		oldest = tick
	}
	ended, clocks, err := endedBefore(ctx, run, done, to, oldest)
	if err != nil {
		return nil, err
	}
	queued, err := queuedIn(ctx, run)
	if err != nil {
		return nil, err
	}
	faces, first, p := make([]templates.Face, len(e.Lanes)), firstOfName(run), run.Program()
	for i := range faces {
		l := e.Lanes[i]
		l.Levels = levelsOf(p, &p.Scenario.Facts()[i], &after.Lanes[i], e.Texts)
		f := templates.Face{Lane: &l, Before: placesOf(p, before.Lanes[i].Places, math.MaxInt), After: placesOf(p, after.Lanes[i].Places, math.MaxInt),
			Moved: moved, Moves: moves[i], Ended: ended[i], Clock: clock, Rings: ringsOf(ctx, run, i, &after.Lanes[i]), Until: p.Until, First: first,
			Fired: e.Texts.T("entry.tray.fired"), Reject: e.Texts.T("entry.tray.rejected")}
		if !p.Scenario.Facts()[i].Relative {
			f.Origin = p.Start
		}
		now := &before.Lanes[i]
		if moved {
			now = &after.Lanes[i]
		}
		f.Queue, f.Queued = queueOf(p, now.Queue), e.Texts.T("entry.queue")
		f.Totals = templates.Totals{Fired: now.Counts.Expired, Rejected: now.Counts.Rejected}
		if queued[i] && clocks[i] != tick {
			f.Clock = float64(clocks[i]) + 0.5
		}
		if open != nil {
			f.Opening, f.Earlier = placesOf(p, open.Lanes[i].Places, math.MaxInt), earlier[i]
		}
		faces[i] = f
	}
	return faces, nil
}

var errNoState = errors.New("view: the state at the position cannot be computed")

func snapAt(ctx context.Context, run *sim.Run, tick int64) *engine.Snapshot {
	s, err := run.Seek(ctx, sim.EndOf(tick), wheel.AllEntries)
	if err != nil {
		return nil
	}
	return s
}

// snapBefore returns the state before the events of a tick.
func snapBefore(ctx context.Context, run *sim.Run, tick int64) *engine.Snapshot {
	if tick <= 0 {
		return run.Start().Snapshot(wheel.AllEntries)
	}
	return snapAt(ctx, run, tick-1)
}

// firstOfName returns a function that returns the first ID of the name of a timer of run.
func firstOfName(run *sim.Run) func(id uint32) uint32 {
	p := run.Program()
	byName, first := map[string]uint32{}, make([]uint32, p.Timers()+1)
	for id := uint32(1); int(id) <= p.Timers(); id++ {
		name := p.Name(id)
		if _, ok := byName[name]; !ok {
			byName[name] = id
		}
		first[id] = byName[name]
	}
	return func(id uint32) uint32 { return first[id] }
}

// ringsOf returns the number of rings of a lane: those of the levels that it has in the whole run, as far as the run is
// computed, and three for an algorithm that adds levels when it needs them.
func ringsOf(ctx context.Context, run *sim.Run, lane int, snap *engine.LaneSnapshot) int {
	levels := snap.Levels
	if until, done := run.Computed(); done {
		if end, err := run.Seek(ctx, sim.EndOf(until), 0); err == nil {
			levels = end.Lanes[lane].Levels
		}
	}
	n := 1
	spec := &run.Program().Scenario.Lanes[lane]
	if given, _ := spec.Params["levels"].(int64); spec.Algorithm == "hierarchical" && given <= 0 {
		n = 3
	}
	count := 0
	for _, l := range levels {
		if l.Level >= 0 {
			count++
		}
	}
	return max(n, count)
}

// endedBefore returns the timers of each lane that ended up to event last, and the clock that the lane's delay queue has
// then, if it has one. done is the number of the last event before those of the picture. Timers that ended before the tick
// oldest are left out.
func endedBefore(ctx context.Context, run *sim.Run, done, last, oldest int64) (ended [][]templates.FaceEnded, clocks []int64, err error) {
	lanes := len(run.Program().Scenario.Lanes)
	ended, clocks = make([][]templates.FaceEnded, lanes), make([]int64, lanes)
	past, err := run.Recent(ctx, last, endedMax)
	if err != nil {
		return nil, nil, err
	}
	for i := range past.Records {
		r := &past.Records[i]
		switch r.Kind {
		case wheel.KindExpire, wheel.KindReject:
			if r.Tick < oldest {
				continue
			}
			ended[r.Lane] = append(ended[r.Lane], templates.FaceEnded{ID: r.ID, Due: r.Due - run.Program().Start, Rejected: r.Kind == wheel.KindReject, Earlier: past.From+1+int64(i) <= done})
		case wheel.KindDequeue:
			clocks[r.Lane] = r.Due - run.Program().Start
		}
	}
	return ended, clocks, nil
}

// queuedIn returns, for each lane, whether its clock is that of a delay queue.
func queuedIn(ctx context.Context, run *sim.Run) ([]bool, error) {
	queued := make([]bool, len(run.Program().Scenario.Lanes))
	records, err := run.Records(ctx, 0, min(run.EventsComputed(), endedMax), endedMax)
	for i := range records {
		if r := &records[i]; r.Kind == wheel.KindDequeue {
			queued[r.Lane] = true
		}
	}
	return queued, err
}

// movesIn returns the ways of the timers of each lane in the events (from, to].
func movesIn(ctx context.Context, run *sim.Run, from, to int64) ([][]templates.FaceMove, error) {
	p := run.Program()
	lanes := make([][]templates.FaceMove, len(p.Scenario.Lanes))
	records, err := run.Records(ctx, from, to, movesMax)
	if errors.Is(err, sim.ErrTooMany) {
		return lanes, nil
	}
	if err != nil {
		return nil, err
	}
	left, at := make([]map[string]uint32, len(lanes)), make([]map[uint32]int, len(lanes))
	for i := range lanes {
		left[i], at[i] = map[string]uint32{}, map[uint32]int{}
	}
	replaces := map[[2]uint32]uint32{}
	for i := range records {
		r := &records[i]
		switch {
		case r.Kind == wheel.KindSchedule && r.Run <= 1:
			if old, ok := left[r.Lane][p.Name(r.ID)]; ok {
				replaces[[2]uint32{uint32(r.Lane), r.ID}] = old
			}
		case r.Kind == wheel.KindCancel, r.Kind == wheel.KindMark:
			left[r.Lane][p.Name(r.ID)] = r.ID
		}
		stop, ok := stopOf(r)
		if !ok {
			continue
		}
		k, ok := at[r.Lane][r.ID]
		if !ok {
			k = len(lanes[r.Lane])
			at[r.Lane][r.ID] = k
			lanes[r.Lane] = append(lanes[r.Lane], templates.FaceMove{ID: r.ID, Replaces: replaces[[2]uint32{uint32(r.Lane), r.ID}]})
		}
		m := &lanes[r.Lane][k]
		m.Stops = append(m.Stops, stop)
		m.Cascade = m.Cascade || r.Kind == wheel.KindCascade
	}
	return lanes, nil
}

// stopOf returns where record r takes its timer, and reports whether it takes it somewhere.
func stopOf(r *engine.Record) (templates.FaceStop, bool) {
	switch r.Kind {
	case wheel.KindPlace, wheel.KindCascade:
		return templates.FaceStop{Level: int(r.ToLevel), Slot: int(r.ToSlot)}, true
	case wheel.KindPend:
		return templates.FaceStop{Level: -1}, true
	case wheel.KindExpire:
		return templates.FaceStop{Kind: "fired"}, true
	case wheel.KindReject:
		return templates.FaceStop{Kind: "rejected"}, true
	case wheel.KindCancel, wheel.KindSweep:
		return templates.FaceStop{Kind: "gone"}, true
	}
	return templates.FaceStop{}, false
}
