package scenario

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Scenario is a scenario file that was read and checked, with defaults filled in. It is
// immutable; an edit makes a new one.
type Scenario struct {
	Name     string
	Title    Text
	Summary  Text
	Question Text
	Tick     string // length of a base tick as written in the file, "1ms"
	Start    int64  // absolute tick at which the lanes are created
	Until    int64  // relative to Start, as all times below; negative: Plan computes it
	Lanes    []LaneSpec
	Ops      []Op    // in file order
	Generate []Group // in file order
}

// LaneSpec is a lane of a scenario: an algorithm and its parameters, with defaults filled in.
type LaneSpec struct {
	ID        string
	Algorithm string
	Params    catalog.Params

	slots int // number of slots in all levels, when checked
}

// OpKind is the kind of an operation.
type OpKind uint8

const (
	OpSchedule OpKind = iota + 1
	OpSet             // schedule, replacing a pending timer of that name
	OpCancel
	OpReset // cancel if pending, then schedule
	OpStall // the driver does not run for some ticks
	OpClock // the wall clock jumps
)

// Op is one operation of the workload, as written. Durations are in base ticks.
type Op struct {
	At      int64
	Kind    OpKind
	Timer   string
	Delay   int64
	Every   int64 // 0: once
	Times   int32 // with Every: number of runs, -1: unlimited
	Created int64
	Amount  int64 // length of a stall, or distance of a clock jump

	hasCreated bool // given in the file, so written to the header of a trace
}

// SetCreated sets the time at which the timer was created, in ticks relative to the start.
func (o *Op) SetCreated(tick int64) { o.Created, o.hasCreated = tick, true }

// HasCreated reports whether the time at which the timer was created is given.
func (o *Op) HasCreated() bool { return o.hasCreated }

// Group is a generated part of the workload: Count timers named Prefix + index. Its draws depend
// only on its Seed and Prefix, not on other groups.
type Group struct {
	Prefix   string
	Seed     uint64
	Count    int
	Arrivals Dist // the tick at which each timer is scheduled
	Delay    Dist
	Repeat   Repeat       // every timer repeats like this
	Cancel   *GroupCancel // nil: no timer is cancelled
}

// Repeat describes how a timer repeats.
type Repeat struct {
	Every Span  // Ticks 0: the timer fires once
	Times int32 // with Every: number of runs in all; −1: endless
}

// GroupCancel describes which timers of a group are cancelled, and when.
type GroupCancel struct {
	Fraction Decimal // of the timers, 0 to 1
	After    Dist    // ticks from the schedule to the cancel
}
