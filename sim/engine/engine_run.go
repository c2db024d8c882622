package engine

import (
	"errors"
	"sync"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// RunTo moves every lane to the end of a tick, in parallel, since lanes do not depend on each
// other.
func (e *Engine) RunTo(tick int64) error {
	if tick-e.At() < parallelTicks {
		for _, l := range e.Lanes {
			l.runTo(tick)
		}
		return e.Err()
	}
	var wg sync.WaitGroup
	for _, l := range e.Lanes {
		wg.Go(func() { l.runTo(tick) })
	}
	wg.Wait()
	return e.Err()
}

// parallelTicks is the number of ticks from which lanes are replayed in parallel.
const parallelTicks = 64

// CloneFor clones an engine for a program that has the same operations up to the engine's
// tick. It reuses the memory of spent, as clone does.
func (e *Engine) CloneFor(p *program.Program, spent *Engine) *Engine {
	c := e.Clone(spent)
	c.Program = p
	for _, l := range c.Lanes {
		l.Program = p
		for len(l.handles) <= p.Timers() {
			l.handles = append(l.handles, wheel.Timer{})
		}
		l.handles = l.handles[:p.Timers()+1]
	}
	return c
}

// Bare removes the program from an engine that is only cloned, by CloneFor. Forked runs share
// the engine and would otherwise keep the program in memory.
func (e *Engine) Bare() *Engine {
	e.Program = nil
	for _, l := range e.Lanes {
		l.Program = nil
	}
	return e
}

// FinishTick moves every lane to the end of tick t, as Lane.finishTick does.
func (e *Engine) FinishTick(t int64) error {
	for _, l := range e.Lanes {
		l.FinishTick(t)
	}
	return e.Err()
}

// CostsOf moves the engine to the end of a tick and returns the lanes' costs there.
func (e *Engine) CostsOf(tick int64) ([]LaneCost, error) {
	if err := e.RunTo(tick - 1); err != nil {
		return nil, err
	}
	err := e.FinishTick(tick)
	return e.Costs(), err
}

// ErrNoEvent reports that a replay did not emit an event that the first pass counted.
var ErrNoEvent = errors.New("sim: a replay of a tick has fewer events than its first pass")

// RunWithin moves the engine, which is at the end of the previous tick, through the advances
// of a tick and through its operations until reached returns true. Afterwards the engine may
// be read, but must be discarded.
func (e *Engine) RunWithin(tick int64, reached func() bool) error {
	for _, l := range e.Lanes {
		l.Begin(tick)
	}
	for e.Err() == nil && !reached() {
		if !e.OperationAt(tick) {
			return ErrNoEvent
		}
		for _, l := range e.Lanes {
			l.Operate()
		}
	}
	return e.Err()
}

// Work returns the work that a replay up to the engine's tick takes: what the lanes did,
// without empty slots, which are counted but not visited.
func (e *Engine) Work() (n int64) {
	for _, l := range e.Lanes {
		c := l.Wheel.Cost()
		n += c.Touched + c.Compared + c.Moved
		if w, ok := l.Wheel.(wheel.ReplayCoster); ok {
			n += w.ReplayCost()
		}
	}
	return n + e.Emitted()
}

// Bytes returns the memory that the engine's lanes hold, in bytes.
func (e *Engine) Bytes() (n int64) {
	for _, l := range e.Lanes {
		n += l.bytes()
	}
	return n
}
