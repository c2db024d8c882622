package engine

import (
	"context"
	"fmt"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/program"
)

// Engine runs the lanes of a program in lock-step and returns their events in the order of the
// trace: at each tick first the advance of every lane, in file order, then one operation after
// another, each in every lane in file order. It is not safe for concurrent use.
type Engine struct {
	Program *program.Program
	Lanes   []*Lane
	// Marks holds, for the records of the last Tick, the index after the last record
	// of each step: one lane's visit of a slot, or one operation.
	Marks  []int
	sink   recordSink // of Tick and TickParts
	paused bool       // between two operations of a tick

	Memory *budget.Reservation // of an engine that a run keeps; nil for others
}

// NewEngine creates an engine in its initial state, before tick 0.
func NewEngine(p *program.Program) (*Engine, error) {
	e := &Engine{Program: p}
	for i := range p.Scenario.Lanes {
		l, err := newLane(p, &p.Scenario.Lanes[i])
		if err != nil {
			return nil, fmt.Errorf("lanes[%d]: %w", i, err)
		}
		e.Lanes = append(e.Lanes, l)
	}
	return e, nil
}

// KeepEvents sets whether the lanes keep their events or only count them.
func (e *Engine) KeepEvents(yes bool) {
	for _, l := range e.Lanes {
		l.Log.Keep = yes
	}
}

// Clone copies the engine. It reuses the memory of spent, a discarded engine of the same run,
// unless spent is nil.
func (e *Engine) Clone(spent *Engine) *Engine {
	c := &Engine{Program: e.Program, Lanes: make([]*Lane, len(e.Lanes))}
	for i, l := range e.Lanes {
		var old *Lane
		if spent != nil {
			old = spent.Lanes[i]
		}
		c.Lanes[i] = l.clone(old)
	}
	return c
}

// Bind makes the engine stop soon after ctx is done, and share the processor as a turn in ctx
// requires (package fairqueue). Once stopped, the engine must be discarded; Err returns why.
// Bind is called before the engine is used, and again to change the context.
func (e *Engine) Bind(ctx context.Context) {
	e.BindPace(func() error { return fairqueue.Pace(ctx) })
}

// BindPace is Bind for a caller with a reason of its own to wait or to stop: a lane calls pace at
// least once per [wheel.HookInterval] timers or slots. pace may block; after an error the engine
// must be discarded.
func (e *Engine) BindPace(pace func() error) {
	for _, l := range e.Lanes {
		l.pace = pace
	}
}

// Unbind removes the context set by Bind, so that an engine that is kept does not keep a
// context alive.
func (e *Engine) Unbind() {
	for _, l := range e.Lanes {
		l.pace = nil
	}
}

// Err returns why the engine was abandoned in the middle of a tick, or nil: the context's error,
// or an error that a tick has more than TickEventsMax events.
func (e *Engine) Err() error {
	for _, l := range e.Lanes {
		if l.Err != nil {
			return l.Err
		}
	}
	return nil
}

// Lane returns the lane with index i in the scenario's list.
func (e *Engine) Lane(i int) *Lane { return e.Lanes[i] }

// At returns the tick at whose end the engine is, or -1 in the initial state.
func (e *Engine) At() int64 { return e.Lanes[0].tick }

// Next returns the next tick ≤ until at which a lane has work or an operation is executed. It
// returns false if there is none.
func (e *Engine) Next() (int64, bool) {
	best, found := int64(0), false
	for _, l := range e.Lanes {
		if t, ok := l.NextTick(); ok && (!found || t < best) {
			best, found = t, true
		}
	}
	return best, found
}

// Tick advances all lanes to tick t, which must be after the engine's tick and not after Next,
// and appends their events. The ticks skipped are idle. If Err is not nil afterwards, some
// events are missing.
func (e *Engine) Tick(t int64, recs []Record) []Record {
	e.Marks = e.Marks[:0]
	e.sink = recordSink{engine: e, tick: t, recs: recs, from: len(recs)}
	_ = e.Stream(t, &e.sink) // this sink returns no error; Err has the engine's
	return e.sink.given()
}

// PartRecords bounds the records of a tick that TickParts passes on at once.
const PartRecords = 1 << 12

// TickParts is like Tick but passes the records of tick t to use in parts, in order, instead of
// keeping them. A tick with a million operations then needs no more memory than one with a
// few thousand, even if its events are of a single Advance. recs is the buffer for the records
// and is returned for reuse. Marks are not set. After an error the engine is within the tick
// and must be discarded.
func (e *Engine) TickParts(t int64, recs []Record, use func([]Record) error) ([]Record, error) {
	e.Marks = e.Marks[:0]
	e.sink = recordSink{engine: e, tick: t, recs: recs[:0], use: use}
	err := e.Stream(t, &e.sink)
	recs = e.sink.given()
	if err == nil && len(recs) > 0 {
		err = use(recs)
	}
	return recs[:0], err
}

// mark ends a step after n records, unless the step is empty.
func (e *Engine) mark(n int) {
	last := 0
	if k := len(e.Marks); k > 0 {
		last = e.Marks[k-1]
	}
	if n > last {
		e.Marks = append(e.Marks, n)
	}
}

// Finish advances every lane to until and counts the cost of the idle ticks.
func (e *Engine) Finish() {
	for _, l := range e.Lanes {
		l.Idle(e.Program.Until)
	}
}

// Emitted returns the number of events of all lanes so far.
func (e *Engine) Emitted() (n int64) {
	for _, l := range e.Lanes {
		n += l.Emitted()
	}
	return n
}
