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
	c := &recordingReader{workload: &workload{o: o.Workload}, names: map[[2]uint32]string{}}
	if err := c.read(ctx, r, o); err != nil {
		return nil, err
	}
	c.end = int64(r.Duration / c.tick())
	notes := []texts.Message{texts.Of("import.note.recording", "events", c.events, "duration", r.Duration.Round(time.Millisecond))}
	if r.Lost > 0 {
		notes = append(notes, texts.Of("import.note.missing", "n", r.Lost))
	}
	if c.unknown > 0 {
		notes = append(notes, texts.Of("import.note.unseen", "n", c.unknown))
	}
	return c.result(o, notes...)
}

// recordingReader converts the events of a recording to operations.
type recordingReader struct {
	*workload
	names   map[[2]uint32]string // of the pending timers, by source and number
	events  int64
	named   int64
	unknown int64 // timers that were stopped but not seen before
	latest  time.Duration
}

// recordedMax is the number of events that are sorted together: those of different sources may overlap.
const recordedMax = scenario.OpsMax

// read reads all events.
func (c *recordingReader) read(ctx context.Context, r *recording.Reader, o *Options) error {
	var events []recorded
	sorted := func(n int) *Fault {
		slices.SortStableFunc(events, func(a, b recorded) int { return cmp.Compare(a.At, b.At) })
		for i := range events[:n] {
			if fault := c.add(&events[i], o); fault != nil {
				return fault
			}
		}
		events = append(events[:0], events[n:]...)
		return nil
	}
	for ; ; c.events++ {
		source, e, err := r.Next()
		switch {
		case err == io.EOF:
			if fault := sorted(len(events)); fault != nil {
				return fault
			}
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return refuse("the recording is cut off after %d events; expected one that was stopped", c.events)
		case errors.Is(err, recording.ErrFormat):
			return refuse("the recording is damaged after event %d", c.events)
		case err != nil:
			return readError(err)
		case c.events%pauseLines == 0 && ctx.Err() != nil:
			return ctx.Err()
		case len(events) == recordedMax:
			if fault := sorted(recordedMax / 2); fault != nil {
				return fault
			}
		}
		events = append(events, recorded{e, int32(source)})
	}
}

// add adds the operation of event e, if it is one.
func (c *recordingReader) add(e *recorded, o *Options) *Fault {
	tick := c.tick()
	c.latest = max(c.latest, e.At) // an event that was written later than others after it counts as one with them
	id := [2]uint32{uint32(e.source), e.Timer}
	name, known := c.names[id]
	op := scenario.Op{At: int64(c.latest / tick), Timer: name}
	switch {
	case e.Kind == recording.Fire:
		delete(c.names, id)
		return nil
	case e.Kind == recording.Stop && !known:
		c.unknown++
		return nil
	case e.Kind == recording.Stop:
		op.Kind = scenario.OpCancel
		delete(c.names, id)
	case known && (e.Kind == recording.Reset || e.Kind == recording.Repeat):
		op.Kind = scenario.OpReset
	default:
		op.Kind, op.Timer = scenario.OpSchedule, "t"+strconv.FormatInt(c.named, 10)
		c.names[id] = op.Timer
	}
	if op.Kind.Arms() {
		op.Delay = max(0, ceilDiv(int64(e.Delay), int64(tick))) // a deadline in the past is at once
		if e.Kind == recording.Repeat && op.Delay > 0 {
			op.Every, op.Times = op.Delay, -1
		}
	}
	if fault := c.makeRoom(c.named+1, o.Spill); fault != nil {
		return fault
	}
	c.named++
	c.ops, c.lines = append(c.ops, op), append(c.lines, c.named)
	return nil
}
