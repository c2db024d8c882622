package engine

import (
	"context"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// PauseTicks is the number of busy ticks between two checks of the context.
const PauseTicks = 1 << 10

// DriveOptions holds options of Drive. Records do not depend on them.
type DriveOptions struct {
	EveryTick bool             // visit every tick, not only busy ones
	Progress  func(tick int64) // called from time to time on the caller's goroutine; may be nil
}

// Drive moves an engine from the start to `until` and passes the records of each busy tick to take,
// in parts of a few thousand, which must not be kept. It checks the context before each part. The
// error is that of the context, of take or of a lane.
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

// everyTick returns a function that counts from 0 to `until`.
func (e *Engine) everyTick() func() (int64, bool) {
	tick := int64(-1)
	return func() (int64, bool) {
		tick++
		return tick, tick <= e.Program.Until
	}
}
