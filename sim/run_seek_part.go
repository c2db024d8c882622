package sim

import (
	"context"
	"errors"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel"
)

// seekPart returns the state directly after event seq of chunk c, which is part of a tick. Only the lane of event seq
// can be in the middle of an advance or an operation, so seekPart computes the state of this lane by folding events,
// and reads the states of all other lanes from an engine. The result lists at most limit timers per wheel.Place.
func (r *Run) seekPart(ctx context.Context, c *Chunk, seq int64, limit int) (*engine.Snapshot, error) {
	rec := &c.Records[seq-c.First]
	costs, err := r.CostsAt(ctx, seq, rec.Tick)
	if err != nil {
		return nil, err
	}
	ctx, done, err := r.enterFolding(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	e, err := r.EngineAt(ctx, rec.Tick-1)
	if err != nil {
		return nil, err
	}
	defer e.Release() // it is within the tick
	p := partSeek{engine: e, store: r.store, tick: rec.Tick, lane: int(rec.Lane), seq: seq, limit: limit, states: make([]engine.LaneSnapshot, len(e.Lanes))}
	defer func() { p.mem.Release() }()
	list, err := r.store.Reserve(listBytes(limit, e.Lanes...))
	if err != nil {
		return nil, err
	}
	defer list.Release()
	if seq <= c.part.opsAfter {
		err = p.advance()
	} else {
		err = p.operate(c.stepBegan(seq))
	}
	if err != nil {
		return nil, err
	}
	for i := range p.states {
		p.states[i].Cost = costs[i]
	}
	return &engine.Snapshot{Tick: rec.Tick, Seq: seq, Lanes: p.states}, nil
}

// stepBegan returns the number of the last event before the step that contains event seq of the chunk.
func (c *Chunk) stepBegan(seq int64) int64 {
	began := c.began
	for _, n := range c.Steps {
		if end := c.First - 1 + int64(n); end < seq {
			began = end
		}
	}
	return began
}

// partSeek moves an engine from the end of tick-1 to event seq, which occurs in tick.
type partSeek struct {
	engine *engine.Engine
	store  *Store
	mem    *budget.Reservation // memory reserved for folding the events
	tick   int64
	lane   int // index of the lane of event seq
	seq    int64
	limit  int                   // maximum number of timers to list per place
	states []engine.LaneSnapshot // states of the lanes at event seq
}

// advance moves the engine to event p.seq, which must occur while lane p.lane advances, before the tick's operations.
func (p *partSeek) advance() error {
	for i, l := range p.engine.Lanes {
		if i < p.lane {
			l.Begin(p.tick)
		}
		if i != p.lane {
			p.states[i] = l.Snapshot(p.limit)
		}
	}
	f, err := p.fold()
	if err != nil {
		return err
	}
	f.left = p.seq - p.engine.Emitted()
	l := p.engine.Lanes[p.lane]
	l.Attach(p.lane, f)
	l.Begin(p.tick)
	return p.folded(f)
}

// operate moves the engine to event p.seq, which must be caused by an operation. began is the number of the
// last event before the operation.
func (p *partSeek) operate(began int64) error {
	e := p.engine
	if err := e.RunWithin(p.tick, func() bool { return e.Emitted() >= began }); err != nil {
		return err
	}
	for i := p.lane + 1; i < len(e.Lanes); i++ {
		p.states[i] = e.Lanes[i].Snapshot(p.limit)
	}
	f, err := p.fold()
	if err != nil {
		return err
	}
	for e.Emitted() < p.seq && e.Err() == nil {
		if !e.OperationAt(p.tick) {
			return engine.ErrNoEvent
		}
		for _, l := range e.Lanes[:p.lane] {
			l.Operate()
		}
		f.left = p.seq - e.Emitted()
		e.Lanes[p.lane].Attach(p.lane, f)
		e.Lanes[p.lane].Operate()
	}
	for i, l := range e.Lanes[:p.lane] {
		p.states[i] = l.Snapshot(p.limit)
	}
	return p.folded(f)
}

// fold returns a foldSink that begins with the current state of lane p.lane. Once the caller has attached the foldSink
// to the lane, it folds the lane's further events into that state.
func (p *partSeek) fold() (*foldSink, error) {
	l := p.engine.Lanes[p.lane]
	var err error
	if p.mem, err = p.store.Reserve(foldBytes(l)); err != nil {
		return nil, err
	}
	s := l.Snapshot(wheel.AllEntries)
	return &foldSink{fold: wheel.NewFold(&s.State), at: p.engine.Program.Start + p.tick}, nil
}

// folded detaches f from the lane and stores in p.states the state that f has computed.
func (p *partSeek) folded(f *foldSink) error {
	l := p.engine.Lanes[p.lane]
	l.Flush()
	l.Detach()
	if err := l.Failed(); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	p.states[p.lane] = engine.LaneSnapshot{State: f.fold.State(p.limit)}
	return nil
}

// foldSink applies a given number of events of one lane to the lane's state, then ends the replay.
type foldSink struct {
	fold *wheel.Fold
	at   wheel.Tick // absolute tick of the events
	left int64      // number of events still to be folded
}

func (s *foldSink) Take(_ int, events []wheel.Event) error {
	for k := range events {
		if s.left == 0 {
			return errEnough
		}
		s.left--
		if err := s.fold.Apply(s.at, &events[k]); err != nil {
			return err
		}
	}
	return nil
}

func (s *foldSink) EndStep()     {}
func (s *foldSink) Advanced()    {}
func (s *foldSink) Enough() bool { return false }
