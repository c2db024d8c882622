package scenario

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Scenario is a scenario as read from a file or, after planning, with its defaults filled in. It
// must not be changed; editing functions return a new one.
type Scenario struct {
	Name     string
	Title    Text
	Summary  Text
	Question Text
	Tick     string // length of a base tick as written in the file, such as "1ms"
	Start    int64  // absolute tick at which the lanes are created
	Until    int64  // last tick; negative if planning computes it. It is relative to Start, as are all ticks below
	Lanes    []LaneSpec
	Ops      []Op    // operations in file order
	Generate []Group // generated groups in file order
}

// LaneSpec is a lane of a scenario: an algorithm and its parameters.
type LaneSpec struct {
	ID        string
	Algorithm string
	Params    catalog.Params

	slots int // number of slots in all levels, set by CheckLane
}

// OpKind is the kind of an operation.
type OpKind uint8

const (
	OpSchedule OpKind = iota + 1
	OpSet             // schedule, replacing a pending timer with the same name
	OpCancel
	OpReset // cancel if pending, then schedule
	OpStall // the driver does not run for Amount ticks
	OpClock // the wall clock jumps by Amount ticks
)

// Op is one operation of the workload as it is written in the file. Durations are in base ticks.
type Op struct {
	At      int64
	Kind    OpKind
	Timer   string
	Delay   int64
	Every   int64 // interval of a repeating timer; 0 means that the timer fires once
	Times   int32 // number of runs if Every is set; -1 if unlimited
	Created int64
	Amount  int64 // length of a stall, or distance of a clock jump

	hasCreated bool // whether Created is given, so that it is included in the canonical JSON
}

// SetCreated sets the creation time of the timer, in ticks relative to start.
func (o *Op) SetCreated(tick int64) { o.Created, o.hasCreated = tick, true }

// HasCreated reports whether the creation time of the timer is given.
func (o *Op) HasCreated() bool { return o.hasCreated }

// Group is a generated part of the workload: Count timers with the names Prefix + index. Its random
// numbers depend only on Seed and Prefix, not on other groups.
type Group struct {
	Prefix   string
	Seed     uint64
	Count    int
	Arrivals Dist // distribution of the ticks at which the timers are scheduled
	Delay    Dist
	Repeat   Repeat       // repeat of each timer
	Cancel   *GroupCancel // nil if no timer is cancelled
}

// Repeat describes how a timer repeats.
type Repeat struct {
	Every Span  // interval between two runs; 0 ticks if the timer fires once
	Times int32 // number of runs if Every is set; −1 if unlimited
}

// GroupCancel describes which timers of a group are cancelled, and when.
type GroupCancel struct {
	Fraction Decimal // fraction of the timers, 0 to 1
	After    Dist    // distribution of the ticks from the schedule to the cancel
}
