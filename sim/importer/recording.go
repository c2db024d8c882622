package importer

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel/timer/recording"
)

// recorded is an event of a recording with its place in it.
type recorded struct {
	recording.Event
	source int32
}

// readRecording reads a recording of a program's timers. A timer keeps its name from its schedule until it fires or is
// stopped. Times are rounded down to a tick, delays up. The scenario ends with the recording.
func readRecording(ctx context.Context, in *bufio.Reader, o *Options) (*Result, error) {
	r, err := recording.NewReader(in)
	if err != nil {
		return nil, err
	}
	events, err := eventsOf(ctx, r)
	if err != nil {
		return nil, err
	}
	w := &workload{o: o.Workload}
	tick := w.tick()
	names := map[[2]uint32]string{} // of the pending timers, by source and number
	unknown := int64(0)
	for i := range events {
		e := &events[i]
		id := [2]uint32{uint32(e.source), e.Timer}
		name, known := names[id]
		op := scenario.Op{At: int64(e.At / tick), Timer: name}
		switch {
		case e.Kind == recording.Fire:
			delete(names, id)
			continue
		case e.Kind == recording.Stop && !known:
			unknown++
			continue
		case e.Kind == recording.Stop:
			op.Kind = scenario.OpCancel
			delete(names, id)
		case known && (e.Kind == recording.Reset || e.Kind == recording.Repeat):
			op.Kind = scenario.OpReset
		default:
			op.Kind, op.Timer = scenario.OpSchedule, "t"+strconv.Itoa(len(w.ops))
			names[id] = op.Timer
		}
		if op.Kind.Arms() {
			op.Delay = max(0, ceilDiv(int64(e.Delay), int64(tick))) // a deadline in the past is at once
			if e.Kind == recording.Repeat && op.Delay > 0 {
				op.Every, op.Times = op.Delay, -1
			}
		}
		w.ops, w.lines = append(w.ops, op), append(w.lines, int64(i+1))
	}
	w.end = int64(r.Duration / tick)
	notes := []texts.Message{texts.Of("import.note.recording", "events", len(events), "duration", r.Duration.Round(time.Millisecond))}
	if r.Lost > 0 {
		notes = append(notes, texts.Of("import.note.missing", "n", r.Lost))
	}
	if unknown > 0 {
		notes = append(notes, texts.Of("import.note.unseen", "n", unknown))
	}
	return w.result(o, notes...)
}

// eventsOf returns all events of a recording in order of time.
func eventsOf(ctx context.Context, r *recording.Reader) (events []recorded, err error) {
	for {
		source, e, err := r.Next()
		switch {
		case err == io.EOF:
			slices.SortStableFunc(events, func(a, b recorded) int { return cmp.Compare(a.At, b.At) })
			return events, nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, refuse("the recording is cut off after %d events; expected one that was stopped", len(events))
		case errors.Is(err, recording.ErrFormat):
			return nil, refuse("the recording is damaged after event %d", len(events))
		case err != nil:
			return nil, readError(err)
		case len(events) == scenario.OpsMax:
			return nil, refuse("the recording has more than %d events; a shorter one can be opened", scenario.OpsMax)
		case len(events)%pauseLines == 0 && ctx.Err() != nil:
			return nil, ctx.Err()
		}
		events = append(events, recorded{e, int32(source)})
	}
}
