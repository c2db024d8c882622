package engine

import (
	"context"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// PauseTicks is the number of ticks that Drive runs between two calls of DriveOptions.Progress. Some loops in other
// packages, which run lanes or read traces, check their context once every PauseTicks iterations.
const PauseTicks = 1 << 10

// DriveOptions holds the options of Engine.Drive. They do not affect the records.
type DriveOptions struct {
	EveryTick bool             // whether to run every tick, including those without work
	Progress  func(tick int64) // called after every PauseTicks ticks, on the caller's goroutine; may be nil
}

// Drive runs the engine from its initial state to Program.Until. It passes the records of each tick to the
// function take, in parts of up to PartRecords. take must not keep the slice. Drive checks ctx before each
// part. It returns the first error from ctx, take or a lane.
func (e *Engine) Drive(ctx context.Context, o DriveOptions, take func([]Record) error) error {
	e.Bind(ctx)
	next := e.Next
	if o.EveryTick {
		next = e.everyTick()
	}
	use := func(part []Record) error {
		if err := fairqueue.Pace(ctx); err != nil {
			return err
		}
		return take(part)
	}
	var recs []Record
	ticks := 0 // busy ticks since the last report
	for tick, ok := next(); ok; tick, ok = next() {
		var err error
		if recs, err = e.TickParts(tick, recs, use); err != nil {
			return err
		}
		if ticks++; ticks < PauseTicks {
			continue
		}
		ticks = 0
		if o.Progress != nil {
			o.Progress(tick)
		}
		if err := fairqueue.Pace(ctx); err != nil {
			return err
		}
	}
	e.Finish()
	return e.Err()
}

// everyTick returns a function that returns the ticks 0 to Program.Until, one per call, and then false.
// Unlike Next, it includes ticks without work.
func (e *Engine) everyTick() func() (int64, bool) {
	tick := int64(-1)
	return func() (int64, bool) {
		tick++
		return tick, tick <= e.Program.Until
	}
}
