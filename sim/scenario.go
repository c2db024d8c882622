package sim

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

// Planned is an operation in the order of execution, with its ids resolved.
type Planned struct {
	At      int64
	Delay   int64 // of a stall its length, of a clock jump its distance
	Every   int64
	Created int64 // relative to start
	Times   int32
	ID      uint32 // assigned by schedule, set and reset
	Target  uint32 // of cancel, set and reset: the newest earlier id of that name; 0: none
	Kind    OpKind
	created bool // Created was given; otherwise it is when the timer is scheduled
}
