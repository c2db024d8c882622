package sim

import (
	"errors"
	"sync"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// runTo moves every lane to the end of a tick, in parallel, since lanes do not depend on each
// other.
func (e *Engine) runTo(tick int64) error {
	if tick-e.At() < parallelTicks {
		for _, l := range e.lanes {
			l.runTo(tick)
		}
		return e.Err()
	}
	var wg sync.WaitGroup
	for _, l := range e.lanes {
		wg.Go(func() { l.runTo(tick) })
	}
	wg.Wait()
	return e.Err()
}

// parallelTicks is the number of ticks from which lanes are replayed in parallel.
const parallelTicks = 64

// cloneFor clones an engine for a program that has the same operations up to the engine's
// tick. It reuses the memory of spent, as clone does.
func (e *Engine) cloneFor(p *program.Program, spent *Engine) *Engine {
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

// bare removes the program from an engine that is only cloned, by cloneFor. Forked runs share
// the engine and would otherwise keep the program in memory.
func (e *Engine) bare() *Engine {
	e.prog = nil
	for _, l := range e.lanes {
		l.prog = nil
	}
	return e
}

// finishTick moves every lane to the end of tick t, as Lane.finishTick does.
func (e *Engine) finishTick(t int64) error {
	for _, l := range e.lanes {
		l.finishTick(t)
	}
	return e.Err()
}

// costsOf moves the engine to the end of a tick and returns the lanes' costs there.
func (e *Engine) costsOf(tick int64) ([]LaneCost, error) {
	if err := e.runTo(tick - 1); err != nil {
		return nil, err
	}
	err := e.finishTick(tick)
	return e.costs(), err
}

// errNoEvent reports that a replay did not emit an event that the first pass counted.
var errNoEvent = errors.New("sim: a replay of a tick has fewer events than its first pass")

// runWithin moves the engine, which is at the end of the previous tick, through the advances
// of a tick and through its operations until reached returns true. Afterwards the engine may
// be read, but must be discarded.
func (e *Engine) runWithin(tick int64, reached func() bool) error {
	for _, l := range e.lanes {
		l.begin(tick)
	}
	for e.Err() == nil && !reached() {
		if !e.operationAt(tick) {
			return errNoEvent
		}
		for _, l := range e.lanes {
			l.operate()
		}
	}
	return e.Err()
}

// work returns the work that a replay up to the engine's tick takes: what the lanes did,
// without empty slots, which are counted but not visited.
func (e *Engine) work() (n int64) {
	for _, l := range e.lanes {
		c := l.wheel.Cost()
		n += c.Touched + c.Compared + c.Moved
		if w, ok := l.wheel.(wheel.ReplayCoster); ok {
			n += w.ReplayCost()
		}
	}
	return n + e.emitted()
}

// bytes returns the memory that the engine's lanes hold, in bytes.
func (e *Engine) bytes() (n int64) {
	for _, l := range e.lanes {
		n += l.bytes()
	}
	return n
}
