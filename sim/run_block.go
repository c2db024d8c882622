package sim

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel"
)

// tickBlockBytes is the maximum memory, in bytes, of the records of a block: adjacent chunks of one tick
// that are computed together. A block may require a replay of the tick from its start, so large blocks
// reduce the number of replays needed to read a tick with millions of events.
const tickBlockBytes = 32 << 20

// errEnough is returned by a receiver of events to end the replay of a tick, because it needs no more events.
var errEnough = errors.New("sim: no more events wanted")

// TickChunks returns the numbers [first, end) of the chunks into which tick is divided.
func (r *Run) TickChunks(tick int64) (first, end int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := sort.Search(len(r.borders), func(i int) bool { return r.borders[i].Tick >= tick })
	b := sort.Search(len(r.borders), func(i int) bool { return r.borders[i].ends(tick) })
	return a - 1, b
}

// blockOf returns the numbers [first, end) of the chunks of tick that are computed together with chunk k.
func (r *Run) blockOf(k int, tick int64) (first, end int) {
	first, end = r.TickChunks(tick)
	size := int(max(1, min(tickBlockBytes, r.store.chunks.limit/4)/(r.sizes.ChunkEvents*recordBytes)))
	first += (k - first) / size * size
	return first, min(end, first+size)
}

// makeBlock replays tick and returns its chunks with the numbers [first, end).
func (r *Run) makeBlock(ctx context.Context, tick int64, first, end int) ([]*Chunk, error) {
	p, err := r.replayAt(ctx, tick, first)
	if err != nil {
		return nil, err
	}
	p.first, p.end = first, end
	p.engine.Bind(ctx)
	switch err = p.run(); {
	case errors.Is(err, engine.ErrPaused):
		r.pause(p)
	case errors.Is(err, errEnough):
		p.engine.Release()
	case err != nil:
		p.engine.Release()
		return nil, err
	default:
		r.Leave(p.engine) // it is at the end of the tick
	}
	made := p.made
	p.made = nil
	return made, nil
}

// replayAt returns a replay of tick that has not yet passed chunk k: r.paused if possible, otherwise a new one.
func (r *Run) replayAt(ctx context.Context, tick int64, k int) (*tickReplay, error) {
	r.mu.Lock()
	p := r.paused
	r.paused = nil
	r.mu.Unlock()
	if p != nil && p.tick == tick && p.number <= k {
		return p, nil
	}
	if p != nil {
		p.engine.Release()
	}
	e, err := r.EngineAt(ctx, tick-1)
	if err != nil {
		return nil, err
	}
	p = &tickReplay{borders: r.BordersOf, engine: e, tick: tick, seq: e.Emitted(), stepEnd: e.Emitted(), opsAfter: math.MaxInt64, before: e.Costs()}
	p.number, _ = r.TickChunks(tick)
	p.current = p.newChunk()
	for i := range p.before {
		p.spent = append(p.spent, p.before[i].Total)
	}
	return p, nil
}

// pause keeps replay p for a later call to replayAt. If another replay is already kept or the run has been
// dropped, it releases the engine of p instead.
func (r *Run) pause(p *tickReplay) {
	p.engine.Unbind()
	p.engine.Memory.Set(p.engine.Bytes())
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.paused != nil || r.isGone() {
		p.engine.Release()
		return
	}
	r.paused = p
}

// tickReplay replays a tick and divides its events into chunks. It can be paused between two operations.
type tickReplay struct {
	borders    func(k int) (from, to Border)
	engine     *engine.Engine
	tick       int64
	first, end int      // numbers [first, end) of the wanted chunks
	made       []*Chunk // wanted chunks that are complete

	number   int               // number of the current chunk
	current  *Chunk            // chunk that is being filled; nil after the tick's last chunk
	seq      int64             // number of the last event received
	stepEnd  int64             // number of the last event of the last complete step
	opsAfter int64             // number of the last event before the tick's operations; math.MaxInt64 until they begin
	before   []engine.LaneCost // costs before the tick, indexed by lane
	spent    []int64           // for each lane, its total cost after the last event received from it
}

// run starts or continues the replay. It returns nil at the end of the tick. If chunks [p.first, p.end) are complete
// before that, run returns engine.ErrPaused if the replay can be continued later, and errEnough if it cannot.
func (p *tickReplay) run() error {
	p.next() // the current chunk may have been complete at the pause
	err := p.engine.Stream(p.tick, p)
	if err == nil {
		p.next()
	}
	return err
}

// newChunk returns an empty chunk for the events of chunk p.number, or nil after the tick's last chunk.
// The chunk's Records slice is allocated when the first record is added.
func (p *tickReplay) newChunk() *Chunk {
	from, to := p.borders(p.number)
	if from.Tick == p.tick && !from.Within {
		return nil // the tick is over
	}
	return &Chunk{First: from.Seq + 1, part: &tickPart{events: to.Seq - from.Seq, ends: !to.Within}}
}

// next ends the current chunk if it is complete: it adds a wanted chunk to p.made, and begins the next chunk, if any.
func (p *tickReplay) next() {
	c := p.current
	if c == nil || p.seq < c.First-1+c.part.events {
		return
	}
	if p.number >= p.first && p.number < p.end {
		p.made = append(p.made, c)
	}
	p.number++
	p.current = nil
	if !c.part.ends {
		p.current = p.newChunk()
	}
}

func (p *tickReplay) Take(lane int, events []wheel.Event) error {
	for k := range events {
		if p.next(); p.number > p.end {
			return errEnough // more than a chunk after the wanted ones, within one operation
		}
		p.add(lane, &events[k])
	}
	return nil
}

// add adds event e of a lane to the current chunk, unless that chunk precedes p.first, the first wanted chunk.
func (p *tickReplay) add(lane int, e *wheel.Event) {
	p.seq++
	if c := p.current; p.number >= p.first {
		if c.Records == nil {
			c.Records = make([]engine.Record, 0, c.part.events)
			c.began, c.part.before, c.part.spent, c.part.opsAfter = p.stepEnd, p.before, slices.Clone(p.spent), p.opsAfter
		}
		c.Records = append(c.Records, engine.Record{Event: *e, Tick: p.tick, Lane: uint16(lane)})
	}
	p.spent[lane] = e.Cost
}

func (p *tickReplay) EndStep() {
	if p.seq == p.stepEnd {
		return
	}
	p.stepEnd = p.seq
	if c := p.current; c != nil && c.Records != nil {
		c.Steps = append(c.Steps, len(c.Records))
	}
}

func (p *tickReplay) Advanced() {
	p.opsAfter = p.seq
	if c := p.current; c != nil && c.Records != nil {
		c.part.opsAfter = p.seq
	}
}

// Enough, called after each operation, reports whether the chunks before p.end are complete and the replay may pause.
func (p *tickReplay) Enough() bool {
	p.next()
	return p.number >= p.end && p.current != nil
}

// longStep is a step that ends in a later chunk than the one in which it begins. began is the number of the
// last event before the step, and end is the number of its last event.
type longStep struct{ began, end int64 }

// OpenEnd returns the number of the last event of the step that contains the last record of chunk c. The step
// must end in a later chunk.
func (r *Run) OpenEnd(ctx context.Context, c *Chunk) (int64, error) {
	began := c.openBegan()
	r.mu.Lock()
	known := r.longStep
	r.mu.Unlock()
	if known.began == began && known.end > 0 {
		return known.end, nil
	}
	ctx, leave, err := r.store.queue.Enter(ctx)
	if err != nil {
		return 0, err
	}
	defer leave()
	e, err := r.EngineAt(ctx, c.Records[0].Tick-1)
	if err != nil {
		return 0, err
	}
	s := &stepSink{seq: e.Emitted(), after: began}
	switch err := e.Stream(c.Records[0].Tick, s); {
	case err == nil:
		r.Leave(e)
	case errors.Is(err, errEnough):
		e.Release()
	default:
		e.Release()
		return 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.longStep = longStep{began, s.end}
	return s.end, nil
}

// openBegan returns the number of the last event before the chunk's last step, which must continue in the next chunk.
func (c *Chunk) openBegan() int64 {
	if n := len(c.Steps); n > 0 {
		return c.First - 1 + int64(c.Steps[n-1])
	}
	return c.began
}

// stepSink receives the events of a tick and finds the end of one step.
type stepSink struct {
	seq, after int64 // number of the last event received, and of the last event before the step
	end        int64 // number of the step's last event; 0 means that it has not been found yet
}

func (s *stepSink) Take(_ int, events []wheel.Event) error {
	if s.end > 0 {
		return errEnough
	}
	s.seq += int64(len(events))
	return nil
}

func (s *stepSink) EndStep() {
	if s.end == 0 && s.seq > s.after {
		s.end = s.seq
	}
}

func (s *stepSink) Advanced()    {}
func (s *stepSink) Enough() bool { return false }
