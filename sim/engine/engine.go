package engine

import (
	"context"
	"fmt"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/program"
)

// Engine runs the lanes of a program in lockstep and returns their events in trace order. In each tick, all lanes first
// advance, one after another in file order. Then the operations of the tick are executed; each operation is executed in
// all lanes, in file order, before the next one. An Engine is not safe for concurrent use.
type Engine struct {
	Program *program.Program
	Lanes   []*Lane
	// Marks holds the end of each step of the last Tick: the index after the last record of the step, counted
	// from the first record of the tick. A step is one lane's work at one position of a hand, or one operation
	// in all lanes.
	Marks []int
	ctx   context.Context // context passed to Bind; nil if the engine is not bound to one
	sink  recordSink      // receives the events in Tick and TickParts; kept in a field to avoid an allocation per call

	// Memory is the reservation for the engine's memory, or nil if there is none. A sim.Run sets it for the engines
	// that it clones from checkpoints.
	Memory *budget.Reservation
}

// NewEngine returns an engine for p in its initial state, before tick 0. It runs the sources of own wheels that have not been
// recorded; see RecordOwn. It returns an error if a lane cannot be built.
func NewEngine(p *program.Program) (*Engine, error) {
	if err := RecordOwn(context.Background(), p); err != nil {
		return nil, err
	}
	e := &Engine{Program: p}
	for i := range p.Scenario.Lanes {
		l, err := newLane(p, i)
		if err != nil {
			return nil, fmt.Errorf("lanes[%d]: %w", i, err)
		}
		e.Lanes = append(e.Lanes, l)
	}
	return e, nil
}

// KeepEvents sets whether the lanes keep their events or, as in the first pass of a run, only count them.
func (e *Engine) KeepEvents(yes bool) {
	for _, l := range e.Lanes {
		l.Log.Keep = yes
	}
}

// Release releases the reservation for the engine's memory. The engine must not be used afterwards.
func (e *Engine) Release() { e.Memory.Release() }

// Bind makes the engine call fairqueue.Pace with ctx while it runs, so that it shares the processor and
// stops soon after ctx is done. An engine that has stopped must be discarded; Err returns the reason. Bind
// may be called again to replace the context.
func (e *Engine) Bind(ctx context.Context) {
	for _, l := range e.Lanes {
		l.Bind(ctx)
	}
	e.ctx = ctx
}

// Bind is like Engine.Bind for one lane.
func (l *Lane) Bind(ctx context.Context) { l.pace = func() error { return fairqueue.Pace(ctx) } }

// BindPace is like Bind, but the lanes call pace instead of fairqueue.Pace, at least once per
// wheel.HookInterval units of work. pace may block. If pace returns an error, the engine stops.
func (e *Engine) BindPace(pace func() error) {
	e.ctx = nil
	for _, l := range e.Lanes {
		l.pace = pace
	}
}

// Unbind removes the context set by Bind, so that an idle engine does not keep it in memory.
func (e *Engine) Unbind() {
	e.ctx = nil
	for _, l := range e.Lanes {
		l.pace = nil
	}
}

// Err returns the error that stopped the engine in the middle of a tick, or nil if it has not stopped. The error is
// a *TickError, or comes from the context passed to Bind, the function passed to BindPace, or a function that receives
// the events.
func (e *Engine) Err() error {
	for _, l := range e.Lanes {
		if l.Err != nil {
			return l.Err
		}
	}
	return nil
}

// Lane returns the lane with index i in the scenario.
func (e *Engine) Lane(i int) *Lane { return e.Lanes[i] }

// At returns the last complete tick, or -1 in the initial state.
func (e *Engine) At() int64 { return e.Lanes[0].tick }

// Next returns the next tick in which a lane has work or an operation is executed, or false if there is
// none up to Program.Until.
func (e *Engine) Next() (int64, bool) {
	best, found := int64(0), false
	for _, l := range e.Lanes {
		if t, ok := l.NextTick(); ok && (!found || t < best) {
			best, found = t, true
		}
	}
	return best, found
}

// Tick advances all lanes to the end of tick t and appends their events to recs. t must be greater than e.At() and, so
// that no event is skipped, must not be after the tick returned by e.Next. If Err returns an error afterwards, some
// events are missing.
func (e *Engine) Tick(t int64, recs []Record) []Record {
	e.Marks = e.Marks[:0]
	e.sink = recordSink{engine: e, tick: t, recs: recs, from: len(recs)}
	_ = e.stream(t) // this sink returns no error; Err has the engine's
	return e.sink.given()
}

// PartRecords is the maximum number of records that TickParts passes to its function in one call.
const PartRecords = 1 << 12

// TickParts is like Tick, but passes the records of tick t to the function use, at most PartRecords at a time and in
// trace order. Its memory use therefore does not grow with the number of events. recs is a buffer, which TickParts
// empties and returns for use in the next call. Marks is empty afterwards. If use or a lane fails, TickParts returns
// the error, and the engine must be discarded.
func (e *Engine) TickParts(t int64, recs []Record, use func([]Record) error) ([]Record, error) {
	e.Marks = e.Marks[:0]
	e.sink = recordSink{engine: e, tick: t, recs: recs[:0], use: use}
	err := e.stream(t)
	recs = e.sink.given()
	if err == nil && len(recs) > 0 {
		err = use(recs)
	}
	return recs[:0], err
}

// mark records in Marks that a step ends after the first n records of the tick. It ignores empty steps.
func (e *Engine) mark(n int) {
	last := 0
	if k := len(e.Marks); k > 0 {
		last = e.Marks[k-1]
	}
	if n > last {
		e.Marks = append(e.Marks, n)
	}
}

// Finish advances all lanes to the end of the run, Program.Until. No events may occur in the remaining ticks; the work
// of these ticks is added to the costs of the lanes.
func (e *Engine) Finish() {
	for _, l := range e.Lanes {
		l.Idle(e.Program.Until)
	}
}

// Emitted returns the total number of events emitted by all lanes.
func (e *Engine) Emitted() (n int64) {
	for _, l := range e.Lanes {
		n += l.Emitted()
	}
	return n
}
