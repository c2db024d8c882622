package engine

import (
	"cmp"
	"errors"

	"github.com/wheelscope/wheelscope/wheel"
)

// tickSink receives the events of one tick in trace order.
type tickSink interface {
	// Take is called with at most wheel.LogEventsMax events of one lane, given by its index. It must not
	// keep the slice. If it returns an error, no method of the sink is called again.
	Take(lane int, events []wheel.Event) error
	// EndStep is called at the end of each step: one lane's work at one position of a hand, or one
	// operation. If Take has not been called since the previous call to EndStep, the step is empty and
	// must be ignored.
	EndStep()
	// Advanced is called when all lanes have advanced, before the operations of the tick.
	Advanced()
	// Enough is called after each operation. If it returns true, Engine.Stream returns ErrPaused.
	Enough() bool
}

// laneOutput passes the events of a lane to a sink while the lane is running.
type laneOutput struct {
	sink   tickSink
	lane   int
	visits bool   // whether the lane is advancing its wheel, in which case each hand event begins a step
	any    bool   // whether the lane has passed an event to the sink since it began to advance
	err    error  // first error that the sink returned, or nil
	full   func() // Lane.Flush, which the log calls when it is full; a func value kept to avoid allocations
}

// Attach makes l pass its events to sink until Detach is called. lane is the index of l in the engine; it is
// passed to sink.Take with the events.
func (l *Lane) Attach(lane int, sink tickSink) {
	o := &l.out
	o.sink, o.lane, o.visits, o.any, o.err = sink, lane, false, false, nil
	if o.full == nil {
		o.full = l.Flush
	}
	l.Log.Keep, l.Log.Full = true, o.full
}

// Failed returns the first error that the lane's sink returned or, if there is none, the reason why the lane
// stopped. It returns nil if the sink has returned no error and the lane has not stopped.
func (l *Lane) Failed() error { return cmp.Or(l.out.err, l.Err) }

// Detach makes l stop passing its events to the sink.
func (l *Lane) Detach() { l.out.sink, l.Log.Full = nil, nil }

// Flush passes the events in l.Log to the sink set by Attach and clears the log. If the sink has returned an error,
// Flush discards the events instead.
func (l *Lane) Flush() {
	o := &l.out
	if o.err == nil && len(l.Log.Events) > 0 {
		o.err = o.pass(l.Log.Events)
		if o.err != nil {
			l.Log.Keep = false // further events are not needed
		}
	}
	l.Log.Events = l.Log.Events[:0]
}

func (o *laneOutput) pass(events []wheel.Event) error {
	from := 0
	if o.visits {
		for k := range events {
			if events[k].Kind != wheel.KindHand || !o.any && k == 0 {
				continue
			}
			if k > from {
				if err := o.sink.Take(o.lane, events[from:k]); err != nil {
					return err
				}
				from = k
			}
			o.sink.EndStep()
		}
		o.any = true
	}
	return o.sink.Take(o.lane, events[from:])
}

// ErrPaused is returned by Engine.Stream if the Enough method of its sink returns true after an operation.
// Another call to Stream continues the tick.
var ErrPaused = errors.New("sim: the replay is paused")

// Stream advances all lanes to the end of tick t, as Tick does, and passes the events to sink as they occur.
// It therefore needs little memory even for a tick with many events. If Stream returns ErrPaused, another
// call with the same tick continues where it paused. After any other error, the engine is in the middle of
// the tick and must be discarded.
func (e *Engine) Stream(t int64, sink tickSink) error {
	for i, l := range e.Lanes {
		l.Attach(i, sink)
	}
	defer e.detach()
	if !e.paused {
		if err := e.advance(t, sink); err != nil {
			return err
		}
	}
	e.paused = false
	for e.OperationAt(t) {
		for _, l := range e.Lanes {
			l.Operate()
			l.Flush()
			if err := l.Failed(); err != nil {
				return err
			}
		}
		sink.EndStep()
		if sink.Enough() {
			e.paused = true
			return ErrPaused
		}
	}
	for _, l := range e.Lanes {
		l.end()
	}
	return nil
}

// advance is the first part of Stream: it advances all lanes to tick t, but executes no operations.
func (e *Engine) advance(t int64, sink tickSink) error {
	for _, l := range e.Lanes {
		l.out.visits = true
		l.Begin(t)
		l.Flush()
		l.out.visits = false
		if err := l.Failed(); err != nil {
			return err
		}
		sink.EndStep()
	}
	sink.Advanced()
	return nil
}

func (e *Engine) detach() {
	for _, l := range e.Lanes {
		l.Detach()
	}
}

// OperationAt reports whether the next operation of the program is executed in tick t.
func (e *Engine) OperationAt(t int64) bool {
	next := e.Lanes[0].Next
	return next < len(e.Program.Ops) && e.Program.Ops[next].At == t
}

// recordSink is a tickSink that converts the events of a tick to records. It appends the records to recs or,
// if use is not nil, calls use with PartRecords of them at a time.
type recordSink struct {
	engine *Engine
	tick   int64
	recs   []Record
	from   int                  // length of recs before the first record of the tick was appended
	use    func([]Record) error // called with PartRecords records at a time; nil means that recs collects all of them
}

func (s *recordSink) Take(lane int, events []wheel.Event) error {
	for k := range events {
		s.recs = append(s.recs, Record{events[k], s.tick, uint16(lane)})
		if s.use != nil && len(s.recs) == PartRecords {
			if err := s.use(s.recs); err != nil {
				return err
			}
			s.recs = s.recs[:0]
		}
	}
	return nil
}

func (s *recordSink) EndStep() {
	if s.use == nil {
		s.engine.mark(len(s.recs) - s.from)
	}
}

func (s *recordSink) Advanced()    {}
func (s *recordSink) Enough() bool { return false }

// given returns the records collected in s.recs and clears s, so that the engine does not keep the records in
// memory.
func (s *recordSink) given() []Record {
	recs := s.recs
	*s = recordSink{}
	return recs
}
