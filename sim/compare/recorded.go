package compare

import (
	"context"
	"strings"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/wheel"
)

// Recorded iterates over the events of a trace that differs from the run of its scenario. It
// computes the states of the lanes from these events alone. A trace contains no costs, so all costs
// are 0. A Recorded is not safe for concurrent use.
type Recorded struct {
	p     *program.Program
	lines *traceSource
	folds []*wheel.Fold
	costs []engine.LaneCost // indexed by lane; only Clock is set, because a trace contains no costs
	queue []bool            // whether the clock advances only when a slot leaves the delay queue, indexed by lane
	marks []int             // for each step of the current tick, the number of events in the tick up to the end of the step
	at    int64             // tick passed to the last call to Tick; -1 before the first call
	seq   int64             // number of the last event read, counting from 1; 0 before the first
	err   error             // error that ended the iteration, or nil

	timeline *sim.Timeline
	names    map[uint32]string // names in the trace that differ from those in the scenario, keyed by timer ID
	newest   map[string]uint32 // ID of the most recently scheduled timer with each name
}

// NewRecorded returns a Recorded that is positioned before the first event of s.Trace, which must not be nil.
// It returns an error if the trace cannot be read.
func NewRecorded(ctx context.Context, s *Side) (*Recorded, error) {
	e, err := engine.NewEngine(s.Program) // for the lanes before the first event
	if err != nil {
		return nil, err
	}
	t, err := s.source(ctx)
	if err != nil {
		return nil, err
	}
	p := s.Program
	r := &Recorded{p: p, lines: t.(*traceSource), at: -1, timeline: sim.NewTimeline(len(e.Lanes), p.Until), names: map[uint32]string{}, newest: map[string]uint32{}}
	snap := e.Snapshot(wheel.AllEntries)
	for i := range snap.Lanes {
		r.folds = append(r.folds, wheel.NewFold(&snap.Lanes[i].State))
		r.costs = append(r.costs, engine.LaneCost{Clock: snap.Lanes[i].Cost.Clock})
		r.queue = append(r.queue, e.Lanes[i].FollowsQueue())
	}
	return r, nil
}

// Next returns the next tick that has events. It returns false at the end of the trace.
func (r *Recorded) Next() (int64, bool) { return r.lines.next() }

// At returns the tick passed to the last call to Tick, or -1 before the first call.
func (r *Recorded) At() int64 { return r.at }

// Err returns the error that ended the iteration, or nil. An error means that an event could
// not be read or contradicts the preceding events.
func (r *Recorded) Err() error { return r.err }

// StepEnds returns the end of each step among the events appended by the last call to Tick: element k
// is the number of those events up to and including the last event of step k. The slice is valid until
// the next call to Tick.
func (r *Recorded) StepEnds() []int { return r.marks }

// Cost returns a LaneCost in which only Clock, the time of the lane's clock, is set. The costs are 0, because
// a trace contains none.
func (r *Recorded) Cost(lane int) engine.LaneCost { return r.costs[lane] }

// Waiting returns the number of timers that were pending in the given lane after the last call to Tick.
func (r *Recorded) Waiting(lane int) int { return r.folds[lane].Live() }

// Name returns the name of the timer with the given ID according to the events so far or, if the timer does
// not occur in them, according to the scenario.
func (r *Recorded) Name(id uint32) string {
	if name, ok := r.names[id]; ok {
		return name
	}
	return r.p.Name(id)
}

// Timeline returns a copy of the timeline of the events read so far.
func (r *Recorded) Timeline() *sim.Timeline {
	r.timeline.Computed, r.timeline.Done, r.timeline.Events = r.p.Until, true, r.seq
	return r.timeline.Clone()
}

// Snapshot returns the state of all lanes after the last call to Tick. It lists at most limit timers
// per wheel.Place, or all if limit is wheel.AllEntries.
func (r *Recorded) Snapshot(limit int) *engine.Snapshot {
	s := &engine.Snapshot{Tick: max(0, r.at), Seq: r.seq}
	for i, f := range r.folds {
		s.Lanes = append(s.Lanes, engine.LaneSnapshot{State: f.State(limit), Cost: r.costs[i]})
	}
	return s
}

// Tick advances to the end of tick t and appends the events of t to recs. t must not be after the tick that
// Next returns. If Err then returns an error, some events are missing.
func (r *Recorded) Tick(t int64, recs []engine.Record) []engine.Record {
	from := len(recs)
	r.at, r.marks = t, r.marks[:0]
	for i := range r.costs {
		if !r.queue[i] {
			r.costs[i].Clock = r.p.BeforeStall(t)
		}
	}
	next, ok := r.lines.next()
	if r.err != nil || !ok || next != t {
		return recs
	}
	if t > r.p.Until {
		r.err = &tracefile.LineError{Line: r.lines.at, Reason: scenario.Fault("", "tick is %d, the scenario ends at %d", t, r.p.Until)}
		return recs
	}
	first := r.lines.at
	recorded, err := r.lines.recordsAt(t)
	if err != nil {
		r.err = err
		return recs
	}
	steps := stepFinder{}
	for k := range recorded {
		e := &recorded[k]
		if err := r.apply(e, r.lines.names[k]); err != nil {
			r.err = &tracefile.LineError{Line: first + int64(k), Reason: scenario.Fault("", "the event does not fit those before it: %s", strings.TrimPrefix(err.Error(), "wheel: "))}
			return recs
		}
		if steps.begins(e, r.lines.names[k]) && k > 0 {
			r.marks = append(r.marks, k)
		}
		recs = append(recs, *e)
	}
	r.marks = append(r.marks, len(recorded))
	r.note(recs[from:])
	return recs
}

// apply applies event e to the state of its lane. name is the name of the event's timer. In a trace, miss events
// (cancels and resets of timers that are not pending) contain no timer ID. For such an event, apply first sets e.ID to
// the ID of the timer that was most recently scheduled with that name.
func (r *Recorded) apply(e *engine.Record, name string) error {
	r.seq++
	if e.Kind == wheel.KindSchedule {
		r.newest[name] = e.ID
		if name != r.p.Name(e.ID) {
			r.names[e.ID] = name
		}
	}
	switch {
	case e.Kind == wheel.KindMiss:
		e.ID = r.newest[name]
	case e.Kind == wheel.KindDequeue && r.queue[e.Lane]:
		r.costs[e.Lane].Clock = e.Due - r.p.Start
	}
	return r.folds[e.Lane].Apply(r.p.Start+e.Tick, &e.Event)
}

// note adds recs, the events of the current tick, to the timeline.
func (r *Recorded) note(recs []engine.Record) {
	lanes := make([]sim.TickCounts, len(r.folds))
	for i := range recs {
		switch l := &lanes[recs[i].Lane]; recs[i].Kind {
		case wheel.KindExpire:
			l.Expire++
		case wheel.KindCascade:
			l.Cascade++
		case wheel.KindReject:
			l.Reject++
		case wheel.KindFinding:
			l.Finding++
		}
	}
	for i, l := range lanes {
		l.Live = int64(r.folds[i].Live())
		r.timeline.Note(i, r.at, l)
	}
}

// stepFinder finds the first event of each step in a tick. A step is one operation in all lanes, or
// one lane's work at one position of a hand. The events of an operation are ordered by lane.
type stepFinder struct {
	operations bool // whether an operation has begun; in each tick, the lanes first advance and then execute operations
	lane       uint16
	timer      string // name of the current operation's timer
	scheduled  bool   // whether the current operation has scheduled its timer in the current lane
}

// begins reports whether event e, the next event of the tick, is the first event of a step. name is
// the name of the event's timer.
func (s *stepFinder) begins(e *engine.Record, name string) bool {
	was := *s
	switch {
	case e.BeginsOperation() && e.Run <= 1:
		s.operations, s.lane, s.timer, s.scheduled = true, e.Lane, name, e.Kind == wheel.KindSchedule
		again := e.Lane == was.lane && (was.scheduled || e.Kind != wheel.KindSchedule)
		return !was.operations || name != was.timer || e.Lane < was.lane || again
	case s.operations:
		return false
	}
	s.lane = e.Lane
	return e.Lane != was.lane || e.Kind == wheel.KindHand
}
