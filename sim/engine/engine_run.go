package engine

import (
	"context"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// RunTo advances all lanes to the end of the given tick. If they have to advance by at least parallelTicks ticks and the
// engine has a context (see Bind), it runs the lanes in parallel as far as turns are free. It returns an error if a lane
// has stopped; see Err.
func (e *Engine) RunTo(tick int64) error {
	if e.ctx == nil || tick-e.At() < parallelTicks {
		for _, l := range e.Lanes {
			l.runTo(tick)
		}
		return e.Err()
	}
	fairqueue.Parallel(e.ctx, len(e.Lanes), func(ctx context.Context, i int) {
		l := e.Lanes[i]
		pace := l.pace
		l.Bind(ctx)
		l.runTo(tick)
		l.pace = pace
	})
	return e.Err()
}

// parallelTicks is the minimum number of ticks for which RunTo runs the lanes in parallel.
const parallelTicks = 64

// CloneFor returns a clone of the engine that continues with the operations of p, such as the program of a branch.
// Up to the engine's tick, p must have the same operations as the engine's own program.
func (e *Engine) CloneFor(p *program.Program) *Engine {
	c := &Engine{Program: p, Lanes: make([]*Lane, len(e.Lanes))}
	for i, l := range e.Lanes {
		c.Lanes[i] = l.clone()
		c.Lanes[i].Program = p
		c.Lanes[i].handles.resize(p.Timers() + 1)
		c.Lanes[i].replay(p, i)
	}
	return c
}

// Packed returns a copy of the engine that takes less memory but cannot run: the only method of the copy that
// may be called is CloneFor. The copy has no Program, because the runs of several branches can share the copy and
// would keep the program in memory. bytes is the memory of the copy without the handles that it shares with the engine
// and with other copies.
func (e *Engine) Packed() (c *Engine, bytes int64) {
	c = &Engine{Lanes: make([]*Lane, len(e.Lanes))}
	for i, l := range e.Lanes {
		l.Wheel.PackCopies(true)
		p := l.clone()
		l.Wheel.PackCopies(false)
		p.Program = nil
		c.Lanes[i] = p
		bytes += p.Wheel.Bytes() + p.handles.copyBytes()
	}
	return c, bytes
}

// FinishTick advances all lanes to the end of tick t, after which the costs of the tick are known. t must not be
// after the tick returned by Next. FinishTick returns an error if a lane has stopped; see Err.
func (e *Engine) FinishTick(t int64) error {
	for _, l := range e.Lanes {
		l.FinishTick(t)
	}
	return e.Err()
}

// CostsOf advances all lanes to the end of the given tick and returns the cost of each lane at that time,
// including the cost of the tick itself. The result is indexed by lane. tick must be greater than At.
func (e *Engine) CostsOf(tick int64) ([]LaneCost, error) {
	if err := e.RunTo(tick - 1); err != nil {
		return nil, err
	}
	err := e.FinishTick(tick)
	return e.Costs(), err
}

// Estimated costs of parts of a replay, in units of about 6 ns, the time of a comparison. They were measured
// without recording events, in the scenario heartbeats with a sorted list and in the lanes of
// BenchmarkFirstPass.
const (
	operationCost = 25 // time to schedule, cancel or fire a timer, in units of about 6 ns
	eventCost     = 3  // time to emit an event without recording it, in units of about 6 ns
)

// ReplayCost estimates the time needed to replay the run up to the engine's tick, in units of about 6 ns.
func (e *Engine) ReplayCost() int64 {
	n := e.Work() + (eventCost-1)*e.Emitted()
	for _, l := range e.Lanes {
		c := &l.Log.Count
		n += operationCost * (c[wheel.KindSchedule] + c[wheel.KindCancel] + c[wheel.KindExpire])
	}
	return n
}

// Work returns the amount of work in a replay up to the engine's tick: the number of events, the costs of the
// lanes excluding slots visited, and the extra cost of each wheel that is a port.ReplayCoster, which takes longer
// to replay than its counted cost suggests. Slots visited are excluded because algorithms also count empty slots,
// which the wheels skip without doing any work.
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
