package sim

import (
	"context"
	"fmt"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// Engine runs the lanes of a program in lock-step and hands out what they tell,
// in the order of the trace: at each tick first every lane's advance, in file
// order, then operation by operation, each in every lane in file order.
type Engine struct {
	prog  *Program
	lanes []*Lane
	// Marks holds, for the records of the last Tick, the index behind the last
	// record of each step: one lane's visit of a slot, or one operation.
	Marks  []int
	sink   recordSink // of Tick and TickParts
	paused bool       // between two operations of a tick

	mem *budget.Reservation // of an engine that a run keeps; nil for others
}

// NewEngine makes the lanes at tick 0, before anything.
func NewEngine(p *Program) (*Engine, error) {
	e := &Engine{prog: p}
	for i := range p.Scenario.Lanes {
		l, err := newLane(p, &p.Scenario.Lanes[i])
		if err != nil {
			return nil, fmt.Errorf("lanes[%d]: %w", i, err)
		}
		e.lanes = append(e.lanes, l)
	}
	return e, nil
}

// keep says whether records are wanted, or only counts.
func (e *Engine) keep(yes bool) {
	for _, l := range e.lanes {
		l.log.Keep = yes
	}
}

// clone copies the engine, into the memory of spent: an engine of the same run that
// is used no more, or nil.
func (e *Engine) clone(spent *Engine) *Engine {
	c := &Engine{prog: e.prog, lanes: make([]*Lane, len(e.lanes))}
	for i, l := range e.lanes {
		var old *Lane
		if spent != nil {
			old = spent.lanes[i]
		}
		c.lanes[i] = l.clone(old)
	}
	return c
}

// Bind makes the engine stop soon after ctx is done, and share the processor as a
// turn in ctx requires (package fairqueue). The engine must not be used after that: Err
// returns why. Bind is called before the engine is used, and again when ctx is another.
func (e *Engine) Bind(ctx context.Context) {
	pace := func() error { return fairqueue.Pace(ctx) }
	for _, l := range e.lanes {
		l.pace = pace
	}
}

// unbind ends what Bind began, so that an engine that is kept does not keep a
// context alive.
func (e *Engine) unbind() {
	for _, l := range e.lanes {
		l.pace = nil
	}
}

// Err returns why the engine was abandoned in the middle of its work, nil if it was
// not: the context's error, or that a tick has more than TickEventsMax events.
func (e *Engine) Err() error {
	for _, l := range e.lanes {
		if l.err != nil {
			return l.err
		}
	}
	return nil
}

// Lane gives the lane at an index of the file's list.
func (e *Engine) Lane(i int) *Lane { return e.lanes[i] }

// At is the tick that the engine is at the end of, -1 before anything.
func (e *Engine) At() int64 { return e.lanes[0].tick }

// Next is the next tick ≤ until at which a lane or an operation has work. What
// tick 0 holds comes first.
func (e *Engine) Next() (int64, bool) {
	best, found := int64(0), false
	for _, l := range e.lanes {
		if t, ok := l.nextTick(); ok && (!found || t < best) {
			best, found = t, true
		}
	}
	return best, found
}

// Tick moves all lanes to tick t, which is after every tick before, and appends
// their events. Ticks passed over must be idle: t ≤ Next. If Err is not
// nil afterwards, some are missing.
func (e *Engine) Tick(t int64, recs []Record) []Record {
	e.Marks = e.Marks[:0]
	e.sink = recordSink{engine: e, tick: t, recs: recs, from: len(recs)}
	_ = e.stream(t, &e.sink) // this sink returns no error; Err has the engine's
	return e.sink.given()
}

// partRecords bounds the records of a tick that are handed on at once.
const partRecords = 1 << 12

// TickParts is Tick for one who keeps no records: it gives those of tick t to use
// in parts, in order, so that the memory of a tick with a million operations is
// that of one with a few thousand, even if they are of a single Advance. recs is where
// they are made; it is returned to be used again. Marks mean nothing then. After an error the engine is
// within the tick and is of no more use.
func (e *Engine) TickParts(t int64, recs []Record, use func([]Record) error) ([]Record, error) {
	e.Marks = e.Marks[:0]
	e.sink = recordSink{engine: e, tick: t, recs: recs[:0], use: use}
	err := e.stream(t, &e.sink)
	recs = e.sink.given()
	if err == nil && len(recs) > 0 {
		err = use(recs)
	}
	return recs[:0], err
}

// mark ends a step behind n records, unless it is empty.
func (e *Engine) mark(n int) {
	last := 0
	if k := len(e.Marks); k > 0 {
		last = e.Marks[k-1]
	}
	if n > last {
		e.Marks = append(e.Marks, n)
	}
}

// Finish brings every lane to until; what is idle on the way is counted.
func (e *Engine) Finish() {
	for _, l := range e.lanes {
		l.idle(e.prog.Until)
	}
}

// told counts the events of all lanes so far.
func (e *Engine) told() (n int64) {
	for _, l := range e.lanes {
		n += l.told()
	}
	return n
}
