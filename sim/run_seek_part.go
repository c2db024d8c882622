package sim

import (
	"context"
	"errors"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/wheel"
)

// seekPart returns the state after an event within a tick that is divided into chunks.
// Only the events of one lane in one advance or operation are folded. The other lanes
// are between two calls of their wheels at that event, so their states are taken from
// an engine.
func (r *Run) seekPart(ctx context.Context, c *chunk, seq int64, most int) (*Snapshot, error) {
	rec := &c.records[seq-c.first]
	costs, err := r.costsAt(ctx, seq, rec.Tick)
	if err != nil {
		return nil, err
	}
	ctx, leave, err := r.store.queue.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	done, err := takePlace(ctx, r.folding)
	if err != nil {
		return nil, err
	}
	defer done()
	e, err := r.engineAt(ctx, rec.Tick-1)
	if err != nil {
		return nil, err
	}
	defer r.discard(e) // it is within the tick
	p := partSeek{engine: e, store: r.store, tick: rec.Tick, lane: int(rec.Lane), seq: seq, most: most, states: make([]LaneSnapshot, len(e.lanes))}
	defer func() { p.mem.Release() }()
	list, err := r.store.Reserve(listBytes(most, e.lanes...))
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
	return &Snapshot{Tick: rec.Tick, Seq: seq, Lanes: p.states}, nil
}

// stepBegan returns the last event before the step to which event seq of the chunk belongs.
func (c *chunk) stepBegan(seq int64) int64 {
	began := c.began
	for _, n := range c.steps {
		if end := c.first - 1 + int64(n); end < seq {
			began = end
		}
	}
	return began
}

// partSeek moves an engine from the end of the previous tick to an event.
type partSeek struct {
	engine *Engine
	store  *Store
	mem    *budget.Reservation // of the fold
	tick   int64
	lane   int // of the event
	seq    int64
	most   int
	states []LaneSnapshot
}

// advance moves the engine to an event of a lane's advance.
func (p *partSeek) advance() error {
	for i, l := range p.engine.lanes {
		if i < p.lane {
			l.begin(p.tick)
		}
		if i != p.lane {
			p.states[i] = l.snapshot(p.most)
		}
	}
	f, err := p.fold()
	if err != nil {
		return err
	}
	f.left = p.seq - p.engine.emitted()
	l := p.engine.lanes[p.lane]
	l.attach(p.lane, f)
	l.begin(p.tick)
	return p.folded(f)
}

// operate moves the engine to an event of an operation. Its argument began is the last event
// before the operation.
func (p *partSeek) operate(began int64) error {
	e := p.engine
	if err := e.runWithin(p.tick, func() bool { return e.emitted() >= began }); err != nil {
		return err
	}
	for i := p.lane + 1; i < len(e.lanes); i++ {
		p.states[i] = e.lanes[i].snapshot(p.most)
	}
	f, err := p.fold()
	if err != nil {
		return err
	}
	for e.emitted() < p.seq && e.Err() == nil {
		if !e.operationAt(p.tick) {
			return errNoEvent
		}
		for _, l := range e.lanes[:p.lane] {
			l.operate()
		}
		f.left = p.seq - e.emitted()
		e.lanes[p.lane].attach(p.lane, f)
		e.lanes[p.lane].operate()
	}
	for i, l := range e.lanes[:p.lane] {
		p.states[i] = l.snapshot(p.most)
	}
	return p.folded(f)
}

// fold begins to fold the events of the event's lane.
func (p *partSeek) fold() (*foldSink, error) {
	l := p.engine.lanes[p.lane]
	var err error
	if p.mem, err = p.store.Reserve(foldBytes(l)); err != nil {
		return nil, err
	}
	s := l.snapshot(wheel.AllEntries)
	return &foldSink{fold: wheel.NewFold(&s.State), at: p.engine.prog.Start + p.tick}, nil
}

// folded stores the folded state of the event's lane.
func (p *partSeek) folded(f *foldSink) error {
	l := p.engine.lanes[p.lane]
	l.flush()
	l.detach()
	if err := l.failed(); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	p.states[p.lane] = LaneSnapshot{State: f.fold.State(p.most)}
	return nil
}

// foldSink folds a number of events of one lane.
type foldSink struct {
	fold *wheel.Fold
	at   wheel.Tick
	left int64 // events to be folded
}

func (s *foldSink) take(_ int, events []wheel.Event) error {
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

func (s *foldSink) endStep()     {}
func (s *foldSink) advanced()    {}
func (s *foldSink) enough() bool { return false }
