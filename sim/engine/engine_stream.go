package engine

import (
	"cmp"

	"github.com/wheelscope/wheelscope/wheel"
)

// recordSink converts the events of one tick to records, in trace order. It appends the records to recs or, if use is
// not nil, calls use with PartRecords of them at a time.
type recordSink struct {
	engine *Engine
	tick   int64
	recs   []Record
	from   int                  // length of recs before the first record of the tick was appended
	use    func([]Record) error // called with PartRecords records at a time; nil means that recs collects all of them
}

// take converts events of one lane, given by its index. It does not keep the slice.
func (s *recordSink) take(lane int, events []wheel.Event) error {
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

// endStep records in Engine.Marks that a step ends here: one lane's work at one position of a hand, or one operation.
// It ignores empty steps.
func (s *recordSink) endStep() {
	if s.use == nil {
		s.engine.mark(len(s.recs) - s.from)
	}
}

// given returns the records collected in s.recs and clears s, so that the engine does not keep the records in
// memory.
func (s *recordSink) given() []Record {
	recs := s.recs
	*s = recordSink{}
	return recs
}

// laneOutput passes the events of a lane to the engine's sink while the lane is running.
type laneOutput struct {
	sink   *recordSink
	lane   int    // index of the lane in the engine
	visits bool   // whether the lane is advancing its wheel, in which case each hand event begins a step
	any    bool   // whether the lane has passed an event to the sink since it began to advance
	err    error  // first error that the sink returned, or nil
	full   func() // Lane.flush, which the log calls when it is full; a func value kept to avoid allocations
}

// attach makes l pass its events to sink until detach is called. lane is the index of l in the engine.
func (l *Lane) attach(lane int, sink *recordSink) {
	o := &l.out
	o.sink, o.lane, o.visits, o.any, o.err = sink, lane, false, false, nil
	if o.full == nil {
		o.full = l.flush
	}
	l.Log.Keep, l.Log.Full = true, o.full
}

// failed returns the first error that the lane's sink returned or, if there is none, the reason why the lane
// stopped. It returns nil if the sink has returned no error and the lane has not stopped.
func (l *Lane) failed() error { return cmp.Or(l.out.err, l.Err) }

// detach makes l stop passing its events to the sink.
func (l *Lane) detach() { l.out.sink, l.Log.Full = nil, nil }

// flush passes the events in l.Log to the sink set by attach and clears the log. If the sink has returned an error,
// flush discards the events instead.
func (l *Lane) flush() {
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
				if err := o.sink.take(o.lane, events[from:k]); err != nil {
					return err
				}
				from = k
			}
			o.sink.endStep()
		}
		o.any = true
	}
	return o.sink.take(o.lane, events[from:])
}

// stream advances all lanes to the end of tick t and passes the events to e.sink as they occur, so that it needs little
// memory even for a tick with many events. After an error, the engine is in the middle of the tick and must be
// discarded.
func (e *Engine) stream(t int64) error {
	for i, l := range e.Lanes {
		l.attach(i, &e.sink)
	}
	defer e.detach()
	for _, l := range e.Lanes {
		l.out.visits = true
		l.begin(t)
		l.flush()
		l.out.visits = false
		if err := l.failed(); err != nil {
			return err
		}
		e.sink.endStep()
	}
	for e.operationAt(t) {
		for _, l := range e.Lanes {
			l.operate()
			l.flush()
			if err := l.failed(); err != nil {
				return err
			}
		}
		e.sink.endStep()
	}
	for _, l := range e.Lanes {
		l.end()
	}
	return nil
}

func (e *Engine) detach() {
	for _, l := range e.Lanes {
		l.detach()
	}
}

// operationAt reports whether the next operation of the program is executed in tick t.
func (e *Engine) operationAt(t int64) bool {
	next := e.Lanes[0].next
	return next < len(e.Program.Ops) && e.Program.Ops[next].At == t
}
