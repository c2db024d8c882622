package sim

import (
	"context"
	"errors"
	"sort"
	"strconv"
	"sync"

	"github.com/wheelscope/wheelscope/wheel"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// Seek gives the state after everything at tick. `most` bounds the timers listed
// of each place (wheel.AllEntries: all); Place.Count is the full count always.
func (r *Run) Seek(ctx context.Context, tick int64, most int) (*Snapshot, error) {
	if err := r.Wait(ctx, tick); err != nil {
		return nil, err
	}
	e, err := r.engineAfter(ctx, tick)
	if err != nil {
		return nil, err
	}
	defer r.leave(e)
	return e.Snapshot(most), nil
}

// SeekSeq gives the state exactly after event seq; 0 is before anything.
func (r *Run) SeekSeq(ctx context.Context, seq int64, most int) (*Snapshot, error) {
	if seq <= 0 {
		return r.start().Snapshot(most), nil
	}
	c, err := r.chunkWith(ctx, seq)
	if err != nil {
		return nil, err
	}
	tick := c.records[seq-c.first].Tick
	from, to := c.tick(tick)
	switch {
	case seq == c.first-1+to && (c.part == nil || c.part.ends):
		return r.Seek(ctx, tick, most)
	case c.part != nil:
		return r.seekPart(ctx, c, seq, most)
	}
	after, err := r.costsAfter(ctx, tick)
	if err != nil {
		return nil, err
	}
	e, err := r.engineAt(ctx, tick-1)
	if err != nil {
		return nil, err
	}
	s := e.Snapshot(wheel.AllEntries)
	r.leave(e)
	if err := s.fold(r.prog, tick, c.records[from:seq-c.first+1], most, after); err != nil {
		return nil, err
	}
	return s, nil
}

// start is an engine before anything, to be read only.
func (r *Run) start() *Engine {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.checkpoints[0].engine
}

// engineAfter gives an engine at the end of a tick whose cost of that tick is
// known.
func (r *Run) engineAfter(ctx context.Context, tick int64) (*Engine, error) {
	e, err := r.engineAt(ctx, tick-1)
	if err != nil {
		return nil, err
	}
	return e, e.finishTick(ctx, tick)
}

// engineAt gives an engine at the end of a tick that is computed (-1: before
// anything), for the caller's own use.
func (r *Run) engineAt(ctx context.Context, tick int64) (*Engine, error) {
	e := r.nearest(tick)
	if e.At() < tick {
		return e, e.runTo(ctx, tick)
	}
	return e, nil
}

// nearest takes the warm engine or clones the checkpoint that is nearest at or
// before a tick.
func (r *Run) nearest(tick int64) *Engine {
	r.mu.Lock()
	k := sort.Search(len(r.checkpoints), func(i int) bool { return r.checkpoints[i].tick > tick }) - 1
	mark := r.checkpoints[k]
	e, spent := r.warm.take(mark.tick, tick)
	r.mu.Unlock()
	if e == nil {
		e = mark.engine.cloneFor(r.prog, spent)
	}
	e.keep(false)
	return e
}

// leave keeps an engine warm for whoever comes next to this place.
func (r *Run) leave(e *Engine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warm.put(e)
}

// runTo brings every lane to the end of a tick, in parallel: lanes never look at
// each other. After an error the engine must be discarded.
func (e *Engine) runTo(ctx context.Context, tick int64) error {
	if tick-e.At() < parallelTicks {
		for _, l := range e.lanes {
			if err := l.runTo(ctx, tick); err != nil {
				return err
			}
		}
		return nil
	}
	var wg sync.WaitGroup
	errs := make([]error, len(e.lanes))
	for i, l := range e.lanes {
		wg.Go(func() { errs[i] = l.runTo(ctx, tick) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// parallelTicks is the distance from which lanes are replayed in parallel.
const parallelTicks = 64

// cloneFor copies an engine for a program that has the same operations up to the
// engine's tick, into the memory of spent, as clone does.
func (e *Engine) cloneFor(p *Program, spent *Engine) *Engine {
	c := e.clone(spent)
	c.prog = p
	for _, l := range c.lanes {
		l.prog = p
		for len(l.handles) <= p.Timers() {
			l.handles = append(l.handles, wheel.Timer{})
		}
		l.handles = l.handles[:p.Timers()+1]
	}
	return c
}

// bare takes its program from an engine that is cloned only, by cloneFor: runs that are
// forked from this one share the engine, and the program would live on in them.
func (e *Engine) bare() *Engine {
	e.prog = nil
	for _, l := range e.lanes {
		l.prog = nil
	}
	return e
}

// warmMax bounds the engines of a run that are kept where somebody looked last.
const warmMax = 4

// warmPool keeps engines that were used lately, the latest last, and the one that
// went last for its memory.
type warmPool struct {
	engines []*Engine
	spent   *Engine
}

// take removes the nearest engine whose tick is in [after, upTo]; where there is
// none, it gives the spent one, if there is one, to be overwritten.
func (p *warmPool) take(after, upTo int64) (e, spent *Engine) {
	best := -1
	for k, e := range p.engines {
		if t := e.At(); t >= after && t <= upTo && (best < 0 || t > p.engines[best].At()) {
			best = k
		}
	}
	if best < 0 {
		spent, p.spent = p.spent, nil
		return nil, spent
	}
	e = p.engines[best]
	p.engines = append(p.engines[:best], p.engines[best+1:]...)
	return e, nil
}

func (p *warmPool) put(e *Engine) {
	if len(p.engines) == warmMax {
		p.spent = p.engines[0]
		p.engines = append(p.engines[:0], p.engines[1:]...)
	}
	p.engines = append(p.engines, e)
}
