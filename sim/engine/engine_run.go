package engine

import (
	"errors"
	"sync"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// RunTo advances all lanes to the end of tick. If it has to advance them by at least parallelTicks ticks, it
// runs the lanes in parallel, since they do not depend on each other.
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

// parallelTicks is the minimum number of ticks for which RunTo runs the lanes in parallel.
const parallelTicks = 64

// CloneFor returns a clone of the engine that continues with the operations of p, such as the program of a
// fork. Up to the engine's tick, p must have the same operations as the engine's own program. spent has the
// same meaning as in Clone.
func (e *Engine) CloneFor(p *program.Program, spent *Engine) *Engine {
	c := e.Clone(spent)
	c.Program = p
	for _, l := range c.Lanes {
		l.Program = p
		l.handles.resize(p.Timers() + 1)
	}
	return c
}

// Packed returns a copy of the engine that takes less memory but cannot run: the only method of the copy that
// may be called is CloneFor. The copy does not refer to the program, since forked runs share the copy and
// would keep the program in memory. bytes is the memory of the copy, except for what it shares with earlier
// copies. written is the part of bytes that later copies can share: the handles written since the previous
// copy was made.
func (e *Engine) Packed() (c *Engine, bytes, written int64) {
	c = &Engine{Lanes: make([]*Lane, len(e.Lanes))}
	for i, l := range e.Lanes {
		written += l.handles.writtenBytes()
		w, packs := l.Wheel.(packer)
		if packs {
			w.PackCopies(true)
		}
		p := l.clone(nil)
		if packs {
			w.PackCopies(false)
		}
		p.Program = nil
		c.Lanes[i] = p
		bytes += p.Wheel.Bytes() + p.handles.tableBytes()
	}
	return c, bytes + written, written
}

// packer is implemented by wheels that can make packed copies. A packed copy takes less memory. It cannot
// run, but can be copied; the result is a wheel that can run.
type packer interface {
	// PackCopies sets whether the method Clone of the wheel returns packed copies.
	PackCopies(yes bool)
}

// FinishTick advances all lanes to the end of tick t, after which their costs of t are known. t must be at
// most Next.
func (e *Engine) FinishTick(t int64) error {
	for _, l := range e.Lanes {
		l.FinishTick(t)
	}
	return e.Err()
}

// CostsOf advances the engine to the end of tick and returns the costs of the lanes.
func (e *Engine) CostsOf(tick int64) ([]LaneCost, error) {
	if err := e.RunTo(tick - 1); err != nil {
		return nil, err
	}
	err := e.FinishTick(tick)
	return e.Costs(), err
}

// ErrNoEvent reports that the replay of a tick has fewer events than the first pass counted.
var ErrNoEvent = errors.New("sim: a replay of a tick has fewer events than its first pass")

// RunWithin runs a part of tick: the advances of all lanes, and then operations until the function reached
// returns true. The engine must be at the end of the previous tick. Afterwards its state may be read, but it
// must not run again. RunWithin returns ErrNoEvent if reached has not returned true by the end of the tick.
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

// Estimated costs of parts of a replay, in units of about 6 ns, the time of a comparison. They were measured
// without recording events, in the scenario heartbeats with a sorted list and in the lanes of
// BenchmarkFirstPass.
const (
	operationCost = 25 // time to schedule, cancel or fire a timer, in units of about 6 ns
	eventCost     = 3  // time for each event, in units of about 6 ns
)

// ReplayCost returns the estimated time that it takes to replay the run up to the engine's tick, in units
// of about 6 ns.
func (e *Engine) ReplayCost() int64 {
	n := e.Work() + (eventCost-1)*e.Emitted()
	for _, l := range e.Lanes {
		c := &l.Log.Count
		n += operationCost * (c[wheel.KindSchedule] + c[wheel.KindCancel] + c[wheel.KindExpire])
	}
	return n
}

// Work returns the work of a replay up to the engine's tick: the number of events, the costs of the lanes
// except for slots visited, and the extra cost of each wheel.ReplayCoster. Slots visited are left out because
// algorithms also count empty slots, which the wheels skip without work.
func (e *Engine) Work() (n int64) {
	for _, l := range e.Lanes {
		c := l.Wheel.Cost()
		n += c.Touched + c.Compared + c.Moved
		if l.replayed != nil {
			n += l.replayed.ReplayCost()
		}
	}
	return n + e.Emitted()
}

// Bytes returns the memory of the engine's lanes in bytes.
func (e *Engine) Bytes() (n int64) {
	for _, l := range e.Lanes {
		n += l.bytes()
	}
	return n
}
