package sim

import (
	"context"
	"errors"
	"sort"

	"github.com/wheelscope/wheelscope/sim/engine"
)

// Step is a range of events with the same cause: one operation, executed in all lanes, or the work of one
// lane at one position of a hand. End is the number of its last event.
type Step struct {
	Tick int64
	End  int64
}

// EventRange holds the records of consecutive events: those with the numbers From+1 to To.
type EventRange struct {
	From, To int64 // numbers of the last event before the range, and of the last event in it
	Tick     int64 // tick at which the range ends; it may be after the tick of the last record
	Records  []engine.Record
	// Lanes holds the costs of the lanes after the last record. In a result of LastStep, Recent or StepFrom,
	// it holds the costs before the first record instead. It must not be modified.
	Lanes []engine.LaneCost
}

// EventRange returns the records of events from+1, from+2, … up to the end of tick, and the costs of the
// lanes at the end of tick. It returns ErrTooMany if there are more than max records.
func (r *Run) EventRange(ctx context.Context, from, tick int64, max int) (*EventRange, error) {
	to, err := r.SeqAt(ctx, tick)
	if err != nil {
		return nil, err
	}
	s := &EventRange{From: from, To: to, Tick: tick}
	if s.Records, err = r.Records(ctx, from, to, max); err != nil {
		return nil, err
	}
	s.Lanes, err = r.CostsAfter(ctx, tick)
	return s, err
}

// EventRangeSeq returns the records of the events with numbers in (from, to], and the costs of the lanes
// directly after event number to. It returns ErrTooMany if there are more than max records.
func (r *Run) EventRangeSeq(ctx context.Context, from, to int64, max int) (*EventRange, error) {
	tick, err := r.TickOf(ctx, to)
	if err != nil {
		return nil, err
	}
	s := &EventRange{From: from, To: to, Tick: tick}
	if s.Records, err = r.Records(ctx, from, to, max); err != nil {
		return nil, err
	}
	s.Lanes, err = r.CostsAt(ctx, to, tick)
	return s, err
}

// CostsAt returns the costs of the lanes directly after event seq. tick must be the tick of that event.
func (r *Run) CostsAt(ctx context.Context, seq, tick int64) ([]engine.LaneCost, error) {
	if seq == 0 {
		return r.Start().Costs(), nil
	}
	c, err := r.ChunkWith(ctx, seq)
	if err != nil {
		return nil, err
	}
	from, to := c.Tick(tick)
	if seq == c.First-1+to {
		return r.CostsAfter(ctx, tick)
	}
	after, err := r.CostsAfter(ctx, tick)
	if err != nil {
		return nil, err
	}
	before, err := r.CostsAfter(ctx, tick-1)
	if err != nil {
		return nil, err
	}
	costs := make([]engine.LaneCost, len(before))
	for i := range costs {
		costs[i] = before[i].UpTo(tick, before[i].Total, &after[i])
	}
	for k := from; k <= seq-c.First; k++ {
		rec := &c.Records[k]
		costs[rec.Lane] = before[rec.Lane].UpTo(tick, rec.Cost, &after[rec.Lane])
	}
	return costs, nil
}

// Records returns the records of the events with numbers in (from, to], or ErrTooMany if there are more than max.
func (r *Run) Records(ctx context.Context, from, to int64, max int) ([]engine.Record, error) {
	switch {
	case to-from > int64(max):
		return nil, ErrTooMany
	case to <= from:
		return nil, nil
	}
	var out []engine.Record
	for seq := from + 1; seq <= to; {
		c, err := r.ChunkWith(ctx, seq)
		if err != nil {
			return nil, err
		}
		end := min(to-c.First+1, int64(len(c.Records)))
		part := c.Records[seq-c.First : end : end]
		if out == nil {
			out = part
		} else {
			out = append(out, part...)
		}
		seq = c.First + end
	}
	return out, nil
}

// StepAfter returns the step that contains event seq+1, or false if seq is the last event of the run.
func (r *Run) StepAfter(ctx context.Context, seq int64) (Step, bool, error) {
	c, err := r.ChunkWith(ctx, seq+1)
	var end *PositionError
	switch {
	case errors.As(err, &end):
		return Step{}, false, nil
	case err != nil:
		return Step{}, false, err
	}
	return c.step(sort.SearchInts(c.Steps, int(seq+2-c.First))), true, nil
}

// StepBefore returns the last step that ends before event seq, or false if there is none.
func (r *Run) StepBefore(ctx context.Context, seq int64) (Step, bool, error) {
	if seq <= 1 {
		return Step{}, false, nil
	}
	c, err := r.ChunkWith(ctx, seq-1)
	if err != nil {
		return Step{}, false, err
	}
	if k := sort.SearchInts(c.Steps, int(seq-c.First+1)) - 1; k >= 0 {
		return c.step(k), true, nil
	}
	before := c.First - 1
	tick, err := r.TickOf(ctx, before)
	return Step{Tick: tick, End: before}, before > 0 && err == nil, err
}

func (c *Chunk) step(k int) Step {
	end := c.Steps[k]
	return Step{Tick: c.Records[end-1].Tick, End: c.First - 1 + int64(end)}
}

// LastStep returns the records, up to event seq, of the step that contains that event, and the costs of the lanes before
// the first of these records. If there are more than max records, it returns only the last max of them.
func (r *Run) LastStep(ctx context.Context, seq int64, max int64) (*EventRange, error) {
	if seq <= 0 {
		return &EventRange{}, nil
	}
	before, _, err := r.StepBefore(ctx, seq)
	if err != nil {
		return nil, err
	}
	from := before.End
	if seq-from > max {
		from = seq - max
	}
	return r.between(ctx, from, seq, int(max))
}

// StepEnds returns the numbers, in (from, to], of the events that end a step. It reads all chunks of that range.
func (r *Run) StepEnds(ctx context.Context, from, to int64) ([]int64, error) {
	var ends []int64
	for seq := from + 1; seq <= to; {
		c, err := r.ChunkWith(ctx, seq)
		if err != nil {
			return nil, err
		}
		before := c.First - 1
		for k := sort.SearchInts(c.Steps, int(seq-before)); k < len(c.Steps); k++ {
			end := before + int64(c.Steps[k])
			if end > to {
				break
			}
			ends = append(ends, end)
		}
		seq = c.First + int64(len(c.Records))
	}
	return ends, nil
}

// Recent returns the last max records up to event seq, and the costs of the lanes before those records.
func (r *Run) Recent(ctx context.Context, seq int64, max int) (*EventRange, error) {
	if seq <= 0 {
		return &EventRange{}, nil
	}
	if _, err := r.TickOf(ctx, seq); err != nil { // otherwise the error would name another event
		return nil, err
	}
	return r.between(ctx, seq-min(seq, int64(max)), seq, max)
}

// StepFrom returns the first max records of the step after event seq, and the costs of the lanes before
// those records. It returns no records if seq is the last event of the run.
func (r *Run) StepFrom(ctx context.Context, seq int64, max int) (*EventRange, error) {
	next, ok, err := r.StepAfter(ctx, seq)
	if err != nil || !ok {
		return &EventRange{From: seq, To: seq}, err
	}
	return r.between(ctx, seq, min(next.End, seq+int64(max)), max)
}

// between returns the records of the events with numbers in (from, to], and the costs of the lanes before these
// records. It returns ErrTooMany if there are more than max records.
func (r *Run) between(ctx context.Context, from, to int64, max int) (*EventRange, error) {
	s, err := r.EventRangeSeq(ctx, from, from, 0)
	if err != nil {
		return nil, err
	}
	s.To = to
	if s.Records, err = r.Records(ctx, from, to, max); err != nil {
		return nil, err
	}
	if n := len(s.Records); n > 0 {
		s.Tick = s.Records[n-1].Tick
	}
	return s, nil
}
