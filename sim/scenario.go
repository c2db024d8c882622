package sim

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Scenario is a scenario file, read, checked and with its defaults filled in.
// It is never changed once made; an edit makes a new one.
type Scenario struct {
	Name     string
	Title    Text
	Summary  Text
	Question Text
	Tick     string // length of a base tick as the file gives it, "1ms"
	Start    int64  // absolute tick at which the lanes are created
	Until    int64  // relative to Start, as every time below; negative: Plan works it out
	Lanes    []LaneSpec
	Ops      []Op    // in file order
	Generate []Group // in file order
}

// LaneSpec is one lane: an algorithm and its parameters, defaults filled in.
type LaneSpec struct {
	ID        string
	Algorithm string
	Params    catalog.Params

	slots int // of all levels, when checked
}

// OpKind is what an operation does.
type OpKind uint8

const (
	OpSchedule OpKind = iota + 1
	OpSet             // schedule, replacing a live timer of that name
	OpCancel
	OpReset // cancel if there, then schedule
	OpStall // the driver stands still
	OpClock // the wall clock jumps
)

// Op is one operation of the workload, as written. Durations are base ticks.
type Op struct {
	At      int64
	Kind    OpKind
	Timer   string
	Delay   int64
	Every   int64 // 0: once
	Times   int32 // with Every: runs in all, -1 for ever
	Created int64
	Amount  int64 // of a stall how long, of a clock how far

	hasCreated bool // written in the file, so kept in the trace's header
}

// SetCreated sets the time at which the timer was created, in ticks relative to the start.
func (o *Op) SetCreated(tick int64) { o.Created, o.hasCreated = tick, true }

// HasCreated reports whether the time at which the timer was created is given.
func (o *Op) HasCreated() bool { return o.hasCreated }

// Planned is one operation in the order of execution, with its ids resolved.
type Planned struct {
	At      int64
	Delay   int64 // of a stall how long, of a clock how far
	Every   int64
	Created int64 // relative to start
	Times   int32
	ID      uint32 // the id that schedule, set and reset give
	Target  uint32 // of cancel, set and reset: the newest id of the name before, 0: none
	Kind    OpKind
	created bool // Created was given; else it is when the timer is scheduled
}
