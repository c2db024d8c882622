package sim

import (
	"context"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
)

// pauseTicks is the number of busy ticks between two checks of the context.
const pauseTicks = 1 << 10

// drive moves an engine from the start to `until`.
type drive struct {
	p     *program.Program
	opts  TraceOptions
	eng   *engine.Engine
	ticks int // busy ticks since the last pause
}

// run passes the records of each busy tick to take, in parts of a few thousand, which must not
// be kept. It checks the context before each part.
func (d *drive) run(ctx context.Context, take func([]engine.Record) error) error {
	d.eng.Bind(ctx)
	next := d.eng.Next
	if d.opts.EveryTick {
		next = d.everyTick()
	}
	use := func(part []engine.Record) error {
		if err := fairqueue.Pace(ctx); err != nil {
			return err
		}
		return take(part)
	}
	var recs []engine.Record
	for tick, ok := next(); ok; tick, ok = next() {
		var err error
		if recs, err = d.eng.TickParts(tick, recs, use); err != nil {
			return err
		}
		if err := d.pause(ctx, tick); err != nil {
			return err
		}
	}
	d.eng.Finish()
	return d.eng.Err()
}

// everyTick returns a function that counts from 0 to `until`.
func (d *drive) everyTick() func() (int64, bool) {
	tick := int64(-1)
	return func() (int64, bool) {
		tick++
		return tick, tick <= d.p.Until
	}
}

// pause reports progress and checks the context once every pauseTicks calls.
func (d *drive) pause(ctx context.Context, tick int64) error {
	d.ticks++
	if d.ticks < pauseTicks {
		return nil
	}
	d.ticks = 0
	if d.opts.Progress != nil {
		d.opts.Progress(tick)
	}
	return fairqueue.Pace(ctx)
}
