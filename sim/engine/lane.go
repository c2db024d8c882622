package engine

import (
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/port"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// Lane runs a program on one wheel: it executes the operations, advances the wheel and counts events. A Lane does not
// depend on other lanes. It is not safe for concurrent use.
type Lane struct {
	Program *program.Program
	Wheel   wheel.Observable
	driven
	wakes   bool  // whether the wheel is a port.SelfWaking; if so, the lane also advances it after each operation
	wall    int64 // number of base ticks by which the wall clock is ahead of virtual time: the sum of its jumps
	Log     wheel.Log
	handles handles
	next    int // index in Program.Ops of the next operation
	// tick is the tick that the lane is executing or, between two ticks, the last one that it has completed. It
	// is relative to the scenario's start, and -1 in the initial state.
	tick     int64
	Fired    []wheel.Expiry // timers fired by the last advance; nil if the slice grew beyond FiredMax elements
	counts   laneCounts
	ticks    int64        // number of ticks with events
	cost     LaneCost     // costs at the end of the last complete tick; Total and Clock are not set
	id       string       // ID of the lane in the scenario
	doing    int64        // tick up to which the wheel is being advanced; the fields below are as of its start
	opened   wheel.Cost   // cost of the wheel
	began    int64        // number of events emitted
	visited  int64        // number of hand events emitted
	paused   int64        // number of calls of pause since then
	Lateness *Lateness    // lateness of the timers fired, and peak memory; nil unless Engine.Measure was called
	pace     func() error // called while the wheel works; an error stops the lane
	Err      error        // nil or, if the lane has stopped, the reason; the other fields are then invalid
	out      laneOutput
}

// laneCounts holds counts that the wheel does not keep: missed counts the cancel and reset operations on timers
// that are not pending, and early and late count the timer runs that fired before and after their due ticks.
type laneCounts struct {
	missed, early, late int64
}

// newLane returns lane i of program p in its initial state, before tick 0. The answers of an own wheel must have been recorded.
func newLane(p *program.Program, i int) (*Lane, error) {
	l, err := buildLane(p, &p.Scenario.Lanes[i])
	if err == nil {
		l.replay(p, i)
	}
	return l, err
}

// replay makes the lane, which is lane i of p, read the answers of its own wheel in p, if it has one.
func (l *Lane) replay(p *program.Program, i int) {
	if w, ok := l.Wheel.(*recorded.Wheel); ok {
		if log, _ := p.Recorded(i, nil); log != nil {
			w.Replay(log)
		}
	}
}

// buildLane returns a lane for program p whose entry in the scenario is spec.
func buildLane(p *program.Program, spec *scenario.LaneSpec) (*Lane, error) {
	nanos, err := scenario.ParseTick(p.Scenario.Tick)
	if err != nil {
		return nil, err
	}
	w, err := algorithms.NewIn(catalog.Env{Start: p.Start, TickNanos: nanos}, spec.Algorithm, spec.Params)
	if err != nil {
		return nil, err
	}
	l := &Lane{Program: p, tick: -1, id: spec.ID}
	l.handles.resize(p.Timers() + 1)
	_, l.wakes = w.(port.SelfWaking)
	l.drive(w)
	return l, nil
}

// pause is the hook of the lane's wheel, which calls it at least once per wheel.HookInterval units of work. It lets
// other computations use the processor. If the lane must stop, because of a limit, an error or the end of its context,
// pause sets l.Err and returns false; the wheel then stops.
func (l *Lane) pause() bool {
	l.paused++
	switch {
	case l.Err != nil:
	case l.out.err != nil: // its sink needs no more events
		l.Err = l.out.err
	default:
		l.Err = l.tooMuch()
	}
	if l.Err == nil && l.pace != nil {
		l.Err = l.pace()
	}
	return l.Err == nil
}

// tooMuch returns a *TickError if the lane has exceeded a limit of the current tick, and otherwise nil. Without these
// limits, a lane could take practically for ever to catch up after a long stall. Only work that is done counts: the cost
// of a wheel includes slots and timers that it passes over by arithmetic.
func (l *Lane) tooMuch() error {
	for _, c := range [...]struct {
		n, most int64
		what    string
	}{
		{l.Log.Count[wheel.KindHand] - l.visited, program.TickVisitsMax, "visits of slots"},
		{l.Log.Emitted() - l.began, program.TickEventsMax, "events"},
		{l.paused * wheel.HookInterval, program.TickWorkMax, UnitsOfWork},
	} {
		if c.n > c.most {
			return &TickError{Lane: l.id, Tick: l.doing, What: c.what, Most: c.most}
		}
	}
	return nil
}

// TickError is the error of a lane that stopped because it had too much to do in one tick.
type TickError struct {
	Lane string // ID of the lane
	Tick int64  // the tick, relative to the scenario's start
	What string // what there was too much of: "events", "visits of slots" or UnitsOfWork
	Most int64  // the limit
}

// UnitsOfWork is TickError.What if a lane exceeded program.TickWorkMax.
const UnitsOfWork = "units of work"

// Unwrap returns the error as shown to a user.
func (e *TickError) Unwrap() error {
	return texts.Errorf(texts.Invalid, "", "the lane %s has more than %d %s in tick %d", scenario.Quote(e.Lane), e.Most, e.What, e.Tick)
}

func (e *TickError) Error() string { return e.Unwrap().Error() }

// clone returns a copy of the lane that will emit the same events.
func (l *Lane) clone() *Lane {
	c := *l
	c.handles = l.handles.clone()
	c.Fired, c.Log.Events, c.Lateness = nil, nil, nil
	c.pace, c.Err, c.Log.Full, c.out = nil, nil, nil, laneOutput{}
	c.drive(l.Wheel.Clone())
	return &c
}

// bytes returns the memory of the lane in bytes.
func (l *Lane) bytes() int64 { return l.Wheel.Bytes() + l.handles.bytes() }

// Emitted returns the number of events emitted so far.
func (l *Lane) Emitted() int64 { return l.Log.Emitted() }

// NextTick returns the next tick in which the lane has work or executes an operation, or false if there is
// none up to Program.Until.
func (l *Lane) NextTick() (int64, bool) {
	t := l.Program.Until + 1
	if at, ok := l.Wheel.Next(); ok {
		t = min(t, l.Program.AfterStall(max(at-l.Program.Start, l.tick+1)), l.resumes())
	}
	if l.next < len(l.Program.Ops) && l.Program.Ops[l.next].At < t {
		t = l.Program.Ops[l.next].At
	}
	return t, t <= l.Program.Until
}

// runTo advances the lane to the end of tick t.
func (l *Lane) runTo(t int64) {
	for l.Err == nil {
		at, ok := l.NextTick()
		if !ok || at > t {
			break
		}
		l.FinishTick(at)
	}
	l.Idle(t)
}

// FinishTick advances the lane to the end of tick t, after which the cost of the tick is known. t must not be after
// the tick returned by NextTick.
func (l *Lane) FinishTick(t int64) {
	l.begin(t)
	for l.Err == nil && l.next < len(l.Program.Ops) && l.Program.Ops[l.next].At == t {
		l.operate()
	}
	l.end()
}

// Idle advances the lane to the end of tick t. No events may occur in the ticks passed over. Idle returns the highest
// cost of any of these ticks.
func (l *Lane) Idle(t int64) (peak int64) {
	if t <= l.tick {
		return 0
	}
	to, now := l.Program.BeforeStall(t), l.Wheel.Now()-l.Program.Start
	if l.tick < 0 {
		now = -1 // a lane may count work at tick 0
	}
	for now < to && l.Err == nil {
		cost, at, end := l.pass(now, to)
		if cost > l.cost.Worst {
			l.cost.Worst, l.cost.WorstAt = cost, at
		}
		peak, now = max(peak, cost), end
		if l.Wheel.Now()-l.Program.Start < now {
			break // the wheel is stuck after a fault
		}
	}
	l.tick = t
	l.cost.Tick, l.cost.Work = 0, wheel.Cost{}
	return peak
}

// pass advances the wheel from the end of tick now toward the end of tick to, and returns the tick that the wheel
// reaches as end. If the driver stalls on the way, pass stops early: at the last tick before the stall or, if now is
// that tick, at the first tick after the stall. The cost of this first tick includes the work of the stalled ticks.
// cost is the highest cost of any tick passed, and at is the first tick with that cost.
func (l *Lane) pass(now, to int64) (cost, at, end int64) {
	from, after, stalled := l.Program.StallAfter(now)
	if stalled && from <= now && after <= to {
		l.open(after)
		l.advance(after + l.Program.Start)
		return l.Wheel.Cost().Total() - l.opened.Total(), after, after
	}
	if stalled {
		to = min(to, from)
	}
	l.open(to)
	cost, at = l.Wheel.IdlePeak(to + l.Program.Start)
	l.advance(to + l.Program.Start)
	return cost, at - l.Program.Start, to
}

// begin starts tick t. It advances the wheel to t unless the driver is stalled.
func (l *Lane) begin(t int64) {
	l.Idle(t - 1)
	l.tick = t
	l.open(t)
	if l.Program.BeforeStall(t) == t {
		l.hold(t)
		l.advance(t + l.Program.Start)
	}
}

// open notes the counts from which the limits and the cost of tick t are measured.
func (l *Lane) open(t int64) {
	l.doing, l.opened = t, l.Wheel.Cost()
	l.began, l.visited, l.paused = l.Log.Emitted(), l.Log.Count[wheel.KindHand], 0
}

// advance advances the wheel to an absolute tick and counts the timers that fired early and late.
func (l *Lane) advance(to wheel.Tick) {
	l.Fired = l.move(to, l.Fired[:0])
	for i := range l.Fired {
		l.countLate(to - l.Fired[i].Due)
	}
	if cap(l.Fired) > FiredMax {
		l.Fired = nil
	}
}

// FiredMax is the maximum capacity of Lane.Fired. If an advance needs a slice with a larger capacity, the slice
// is released at the end of the advance, and Lane.Fired is nil.
const FiredMax = 1 << 14

func (l *Lane) countLate(late int64) {
	switch {
	case late > 0:
		l.counts.late++
	case late < 0:
		l.counts.early++
	}
	if l.Lateness != nil {
		l.Lateness.Add(late)
	}
}

// end completes the current tick: it updates l.cost and, if Engine.Measure was called, the peaks in l.Lateness.
func (l *Lane) end() {
	l.cost.Work = l.Wheel.Cost().Sub(l.opened)
	l.cost.Tick = l.cost.Work.Total()
	if l.cost.Tick > l.cost.Worst {
		l.cost.Worst, l.cost.WorstAt = l.cost.Tick, l.tick
	}
	if l.Log.Emitted() > l.began {
		l.ticks++
	}
	if l.Lateness != nil {
		l.Lateness.measure(l.Wheel)
	}
}

// operate executes the next operation of the program in the lane.
func (l *Lane) operate() {
	op := &l.Program.Ops[l.next]
	l.next++
	l.called(op.At)
	switch op.Kind {
	case scenario.OpCancel:
		if !l.remove(op.Target) {
			l.miss(op.Target, wheel.CodeCancel)
		}
	case scenario.OpReset:
		if l.resetter != nil {
			l.reset(op)
			break
		}
		if !l.cancel(op.Target) {
			l.miss(op.Target, wheel.CodeReset)
		}
		l.schedule(op)
	case scenario.OpSet:
		l.replace(op.Target)
		l.schedule(op)
	case scenario.OpSchedule:
		l.schedule(op)
	case scenario.OpClock:
		l.jumpWall(op.Delay)
	}
	if l.wakes {
		l.wake(op.At)
	}
}

// wake advances the wheel to tick t if the wheel has work by then and the driver is not stalled. It is called after
// each operation in tick t if the wheel is a port.SelfWaking. In such a wheel, a timer that is scheduled for the past
// fires within the same tick.
func (l *Lane) wake(t int64) {
	now := t + l.Program.Start
	l.hold(t)
	if at, ok := l.Wheel.Next(); ok && at <= now && l.Program.BeforeStall(t) == t {
		l.advance(now)
	}
}

func (l *Lane) cancel(id uint32) bool {
	return l.Wheel.Cancel(l.handles.at(id))
}

func (l *Lane) miss(id uint32, code uint8) {
	l.counts.missed++
	l.Log.Add(wheel.Event{Kind: wheel.KindMiss, Code: code, ID: id, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel,
		Cost: l.Wheel.Cost().Total()})
}

// schedule schedules op's timer. If any of its runs fire during the call, schedule counts those that are early or
// late.
func (l *Lane) schedule(op *program.Planned) {
	now := l.Program.Start + op.At
	if op.HasCreated && l.dated != nil {
		l.dated.SetCreated(l.Program.Start + op.Created)
	}
	t, runs := l.arm(wheel.Spec{Due: now + op.Delay, Key: op.ID, Every: op.Every, Times: op.Times})
	l.handles.set(op.ID, t)
	for k := range int64(runs) {
		l.countLate(-op.Delay - k*op.Every)
	}
}

// Snapshot returns the current state of the lane. It lists at most limit timers per wheel.Place, or all if
// limit is wheel.AllEntries.
func (l *Lane) Snapshot(limit int) LaneSnapshot {
	var s LaneSnapshot
	l.snapshot(&s, limit)
	return s
}

// snapshot sets s to the state that Snapshot returns. s must be empty, but its slices may have capacity,
// which is reused.
func (l *Lane) snapshot(s *LaneSnapshot, limit int) {
	l.Wheel.AppendState(&s.State, limit)
	s.Counts.Missed, s.Counts.Early, s.Counts.Late = l.counts.missed, l.counts.early, l.counts.late
	s.Cost = l.Cost()
}

// Cost returns the current cost of the lane. Its Tick, Worst and WorstAt fields are as of the end of the last
// complete tick.
func (l *Lane) Cost() LaneCost {
	c := l.cost
	c.Total = l.Wheel.Cost().Total()
	c.Clock = l.clock()
	return c
}

// TickCost returns the cost of the lane's last complete tick, in units of work.
func (l *Lane) TickCost() int64 { return l.cost.Tick }

// Waiting returns the number of timers that are pending in the lane.
func (l *Lane) Waiting() int { return l.Wheel.Len() }
