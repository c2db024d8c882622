package sim

import (
	"context"
	"errors"
	"sort"

	"github.com/wheelscope/wheelscope/sim/engine"
)

// EventRange holds the records of consecutive events: those after event number From up to the position To.
type EventRange struct {
	From    int64    // number of the last event before the range
	To      Position // position at the end of the range, with all fields set; its tick may be after that of the last record
	Records []engine.Record
	Ends    []int64 // numbers of the events that end a step
	// Lanes holds the costs of the lanes at To. In a result of LastStep, Recent or StepFrom, it holds the costs before the
	// first record instead. It must not be modified.
	Lanes []engine.LaneCost
	Chunk *Chunk // chunk that contains the last tick of the range; nil if To is the start of the run
}

// EventRange waits until the run is computed up to the position to, and returns the records of the events after number
// from up to there, and the costs of the lanes there. It returns ErrTooMany if there are more than max records.
func (r *Run) EventRange(ctx context.Context, from int64, to Position, max int) (*EventRange, error) {
	c, to, err := r.chunkAt(ctx, to)
	if err != nil {
		return nil, err
	}
	s := &EventRange{From: from, To: to, Chunk: c}
	if err := r.read(ctx, s, max); err != nil {
		return nil, err
	}
	s.Lanes, err = r.costs(ctx, c, to)
	return s, err
}

// chunkAt waits until p is computed, and returns p with all fields set and the chunk that contains the last tick up to p.
// The chunk is nil if p is the start of the run. The error is a *PositionError if there is no such event.
func (r *Run) chunkAt(ctx context.Context, p Position) (*Chunk, Position, error) {
	if p.IsStart() {
		return nil, Position{Whole: startsSilent(r.prog)}, nil
	}
	if !p.ByTick() {
		c, err := r.ChunkWith(ctx, nil, p.Seq)
		return c, c.At(p.Seq), err
	}
	k, err := r.ChunkOf(ctx, p)
	if err != nil {
		return nil, p, err
	}
	c, err := r.Chunk(ctx, k)
	if err != nil {
		return nil, p, err
	}
	n := sort.Search(len(c.Records), func(i int) bool { return c.Records[i].Tick > p.Tick })
	return c, Position{p.Tick, c.First - 1 + int64(n), true}, nil
}

// Costs returns the costs of the lanes at p. The caller must not change the slice.
func (r *Run) Costs(ctx context.Context, p Position) ([]engine.LaneCost, error) {
	c, p, err := r.chunkAt(ctx, p)
	if err != nil {
		return nil, err
	}
	return r.costs(ctx, c, p)
}

// StoredCosts returns the costs of the lanes at the end of tick, or stored=false if they are not stored, because the tick's
// chunk has few events per tick. Only a replay can then compute them. The caller must not change the slice.
func (r *Run) StoredCosts(ctx context.Context, tick int64) (costs []engine.LaneCost, stored bool, err error) {
	c, _, err := r.chunkAt(ctx, EndOf(tick))
	if err != nil {
		return nil, false, err
	}
	costs, stored = c.CostsOf(tick)
	return costs, stored, nil
}

// costs is like Costs. c and p must be results of chunkAt.
func (r *Run) costs(ctx context.Context, c *Chunk, p Position) ([]engine.LaneCost, error) {
	switch {
	case c == nil:
		return r.Start().Costs(), nil
	case !p.Whole:
		return c.CostsAt(p.Seq), nil
	}
	if row, ok := c.CostsOf(p.Tick); ok {
		return row, nil
	}
	e, leave, err := r.engineAfter(ctx, p.Tick)
	if err != nil {
		return nil, err
	}
	defer leave()
	return e.Costs(), nil
}

// Records returns the records of the events with numbers in (from, to], or ErrTooMany if there are more than max.
func (r *Run) Records(ctx context.Context, from, to int64, max int) ([]engine.Record, error) {
	s := EventRange{From: from, To: After(to)}
	err := r.read(ctx, &s, max)
	return s.Records, err
}

// read adds the records and the ends of steps to s, whose From, To and, if it is known, Chunk are set. It returns
// ErrTooMany if there are more than max records.
func (r *Run) read(ctx context.Context, s *EventRange, max int) error {
	if s.To.Seq-s.From > int64(max) {
		return ErrTooMany
	}
	for from := s.From; from < s.To.Seq; {
		c, err := r.ChunkWith(ctx, s.Chunk, from+1)
		if err != nil {
			return err
		}
		to := min(s.To.Seq, c.Last())
		part := c.Records[from+1-c.First : to+1-c.First : to+1-c.First]
		if s.Records == nil {
			s.Records = part
		} else {
			s.Records = append(s.Records, part...)
		}
		s.Ends = c.StepEnds(from, to, s.Ends)
		from = to
	}
	return nil
}

// Steps returns the number of the event that ends the n-th step after event seq or, if n is negative, the (−n)-th step
// that ends before event seq. The rest of a step counts as a step. Steps stops at either end of the run, and where the
// run is not computed before ctx is done; it returns an error only if it cannot go one step.
func (r *Run) Steps(ctx context.Context, seq, n int64) (int64, error) {
	at, c := seq, (*Chunk)(nil)
	for n != 0 && (n > 0 || at > 0) {
		next := at
		if n > 0 {
			next++
		}
		var err error
		if c, err = r.ChunkWith(ctx, c, next); err != nil {
			if at != seq || errors.As(err, new(*PositionError)) {
				err = nil
			}
			return at, err
		}
		if before, end := c.Step(next); n > 0 {
			at = end
			n--
		} else {
			at = before
			n++
		}
	}
	return at, nil
}

// LastStep returns the records, up to event seq, of the step that contains that event, and the costs of the lanes before
// the first of these records. If there are more than max records, it returns only the last max of them. known is a chunk
// that need not be looked up, or nil.
func (r *Run) LastStep(ctx context.Context, known *Chunk, seq int64, max int) (*EventRange, error) {
	if seq <= 0 {
		return &EventRange{}, nil
	}
	c, err := r.ChunkWith(ctx, known, seq)
	if err != nil {
		return nil, err
	}
	from, _ := c.Step(seq)
	return r.between(ctx, c, from, seq, max)
}

// Recent returns the last max records up to event seq, and the costs of the lanes before those records.
func (r *Run) Recent(ctx context.Context, seq int64, max int) (*EventRange, error) {
	if seq <= 0 {
		return &EventRange{}, nil
	}
	c, err := r.ChunkWith(ctx, nil, seq)
	if err != nil {
		return nil, err
	}
	return r.between(ctx, c, 0, seq, max)
}

// StepFrom returns the first max records of the step after event seq, and the costs of the lanes before
// those records. It returns no records if seq is the last event of the run.
func (r *Run) StepFrom(ctx context.Context, seq int64, max int) (*EventRange, error) {
	c, err := r.ChunkWith(ctx, nil, seq+1)
	if errors.As(err, new(*PositionError)) {
		return &EventRange{From: seq, To: After(seq)}, nil
	}
	if err != nil {
		return nil, err
	}
	_, end := c.Step(seq + 1)
	return r.between(ctx, c, seq, min(end, seq+int64(max)), max)
}

// between returns the records of the events with numbers in (from, to], at most the last max of them, and the costs of
// the lanes before these records. c is the chunk that contains event to.
func (r *Run) between(ctx context.Context, c *Chunk, from, to int64, max int) (s *EventRange, err error) {
	s = &EventRange{From: from, To: c.At(to), Chunk: c}
	if to-from > int64(max) {
		s.From = to - int64(max)
	}
	if err := r.read(ctx, s, max); err != nil {
		return nil, err
	}
	if c.Has(s.From) {
		s.Lanes = c.CostsAt(s.From)
	} else {
		s.Lanes, err = r.Costs(ctx, After(s.From))
	}
	return s, err
}

// StepChunksMax is the maximum length, in chunks, of a run for which StepNumber returns a number.
// For a longer run, StepNumber would take too long, because it reads every chunk once.
const StepChunksMax = 8

// StepNumber returns the number of the step that contains event seq, counting from 1, and the number of steps of the
// run; step is 0 if seq is 0. known is a chunk that need not be looked up, or nil. Both numbers are -1 if the run is not
// completely computed, if it has more than StepChunksMax chunks, or if a chunk cannot be read.
func (r *Run) StepNumber(ctx context.Context, known *Chunk, seq int64) (step, steps int64) {
	borders, counts := r.stepCounts(ctx)
	if counts == nil {
		return -1, -1
	}
	if seq > 0 {
		c, err := r.ChunkWith(ctx, known, seq)
		if err != nil {
			return -1, -1
		}
		k := sort.Search(len(borders), func(i int) bool { return borders[i].Seq >= c.First-1 })
		step = counts[k] + int64(sort.SearchInts(c.Steps, int(seq+1-c.First))) + 1
	}
	return step, counts[len(counts)-1]
}

// stepCounts returns the borders of the run and the number of steps before each of them. It counts them when it is first
// called. counts is nil in the cases in which StepNumber returns no number.
func (r *Run) stepCounts(ctx context.Context) (borders []Position, counts []int64) {
	r.mu.Lock()
	borders, counts = r.borders, r.steps
	done := r.done
	r.mu.Unlock()
	if counts != nil {
		return borders, counts
	}
	if !done || len(borders)-1 > StepChunksMax {
		return nil, nil
	}
	counts = make([]int64, len(borders))
	for k := range len(borders) - 1 {
		c, err := r.Chunk(ctx, k)
		if err != nil {
			return nil, nil
		}
		counts[k+1] = counts[k] + int64(len(c.Steps))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps = counts
	return borders, counts
}
