package sim

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/wheelscope/wheelscope/wheel"
)

// tickBlockBytes bounds the records of adjacent chunks of one tick that are made together.
// To make any of them the tick is replayed from its start, so fewer replays are needed
// to go through a tick with millions of events.
const tickBlockBytes = 16 << 20

// errEnough ends a replay within a tick when nothing more is wanted of it.
var errEnough = errors.New("sim: no more events wanted")

// tickChunks gives the numbers [first, end) of the chunks that are parts of a tick
// with borders within.
func (r *Run) tickChunks(tick int64) (first, end int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := sort.Search(len(r.borders), func(i int) bool { return r.borders[i].tick >= tick })
	b := sort.Search(len(r.borders), func(i int) bool { return r.borders[i].ends(tick) })
	return a - 1, b
}

// blockOf gives empty chunks for number k and those of the same tick to be made with
// it, and the number of the first.
func (r *Run) blockOf(k int) (int, []*chunk) {
	_, to := r.bordersOf(k)
	first, end := r.tickChunks(to.tick)
	size := int(max(1, min(tickBlockBytes, r.chunks.most/4)/(r.sizes.chunkEvents*recordBytes)))
	first += (k - first) / size * size
	end = min(end, first+size)
	r.mu.Lock()
	defer r.mu.Unlock()
	var block []*chunk
	for i := first; i < end; i++ {
		from, to := &r.borders[i], &r.borders[i+1]
		block = append(block, &chunk{first: from.seq + 1, records: make([]Record, 0, to.seq-from.seq),
			part: &tickPart{opsAfter: math.MaxInt64, ends: !to.within}})
	}
	return first, block
}

// makeBlock fills adjacent chunks of one tick, by a replay of the tick.
func (r *Run) makeBlock(ctx context.Context, tick int64, block []*chunk) error {
	e, err := r.engineAt(ctx, tick-1)
	if err != nil {
		return err
	}
	s := &blockSink{ctx: ctx, tick: tick, seq: e.told(), stepEnd: e.told(), opsAfter: math.MaxInt64, block: block, before: e.costs()}
	for i := range s.before {
		s.spent = append(s.spent, s.before[i].Total)
	}
	err = e.stream(ctx, tick, s)
	switch {
	case err == nil:
		r.leave(e) // it is at the end of the tick
	case !errors.Is(err, errEnough):
		return err
	}
	return nil
}

// blockSink puts the events of a tick into chunks.
type blockSink struct {
	ctx      context.Context
	tick     int64
	seq      int64 // of the last event received
	stepEnd  int64 // with which the last step ended
	opsAfter int64
	block    []*chunk
	current  int        // index in block of the chunk being filled, or the first to be filled
	before   []LaneCost // at the end of the tick before
	spent    []int64    // cost total of each lane as of its last event
	unpaced  int        // events since the last proceed
}

func (s *blockSink) take(lane int, events []wheel.Event) error {
	if s.unpaced += len(events); s.unpaced >= paceEvery {
		s.unpaced = 0
		if err := proceed(s.ctx); err != nil {
			return err
		}
	}
	if s.seq+int64(len(events)) < s.block[0].first {
		s.seq += int64(len(events))
		s.spent[lane] = events[len(events)-1].Cost
		return nil
	}
	for k := range events {
		if err := s.add(lane, &events[k]); err != nil {
			return err
		}
	}
	return nil
}

// add puts one event into the chunk that it belongs to.
func (s *blockSink) add(lane int, e *wheel.Event) error {
	c := s.block[s.current]
	if len(c.records) == cap(c.records) {
		if s.current++; s.current == len(s.block) {
			return errEnough
		}
		c = s.block[s.current]
	}
	s.seq++
	if s.seq >= c.first {
		if s.seq == c.first {
			c.began, c.part.before, c.part.spent, c.part.opsAfter = s.stepEnd, s.before, slices.Clone(s.spent), s.opsAfter
		}
		c.records = append(c.records, Record{*e, s.tick, uint16(lane)})
	}
	s.spent[lane] = e.Cost
	return nil
}

func (s *blockSink) endStep() {
	if s.seq == s.stepEnd {
		return
	}
	s.stepEnd = s.seq
	if c := s.block[s.current]; s.seq >= c.first {
		c.steps = append(c.steps, int(s.seq-c.first)+1)
	}
}

func (s *blockSink) advanced() {
	s.opsAfter = s.seq
	if c := s.block[s.current]; s.seq >= c.first {
		c.part.opsAfter = s.seq
	}
}

// longStep is a step that does not end in the chunk in which it begins.
type longStep struct{ began, end int64 }

// openEnd gives the end of the step to which the last record of a part of a tick
// belongs and which goes on in the next chunk.
func (r *Run) openEnd(ctx context.Context, c *chunk) (int64, error) {
	began := c.openBegan()
	r.mu.Lock()
	known := r.longStep
	r.mu.Unlock()
	if known.began == began && known.end > 0 {
		return known.end, nil
	}
	e, err := r.engineAt(ctx, c.records[0].Tick-1)
	if err != nil {
		return 0, err
	}
	s := &stepSink{ctx: ctx, seq: e.told(), after: began}
	if err := e.stream(ctx, c.records[0].Tick, s); err == nil {
		r.leave(e)
	} else if !errors.Is(err, errEnough) {
		return 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.longStep = longStep{began, s.end}
	return s.end, nil
}

// openBegan is the seq after which the last step of the chunk begins that does not end
// in it.
func (c *chunk) openBegan() int64 {
	if n := len(c.steps); n > 0 {
		return c.first - 1 + int64(c.steps[n-1])
	}
	return c.began
}

// stepSink looks for the end of the first step that ends after an event.
type stepSink struct {
	ctx        context.Context
	seq, after int64
	end        int64 // 0: not found yet
	unpaced    int
}

func (s *stepSink) take(_ int, events []wheel.Event) error {
	if s.end > 0 {
		return errEnough
	}
	s.seq += int64(len(events))
	if s.unpaced += len(events); s.unpaced >= paceEvery {
		s.unpaced = 0
		return proceed(s.ctx)
	}
	return nil
}

func (s *stepSink) endStep() {
	if s.end == 0 && s.seq > s.after {
		s.end = s.seq
	}
}

func (s *stepSink) advanced() {}
