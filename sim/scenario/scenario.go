package scenario

import (
	"cmp"
	"math/bits"

	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Scenario is a scenario as decoded from a file or, after planning, with its defaults filled in. It must not
// be changed; methods such as WithOp return a changed copy.
type Scenario struct {
	Name     string
	File     string // name of the file, shown if the scenario has neither a name nor a title; not part of the file
	Title    Text
	Summary  Text
	Question Text
	Tick     string // length of a base tick as written in the file, such as "1ms"
	Start    int64  // absolute tick at which the lanes are created
	Until    int64  // last tick, relative to Start; negative means that planning computes it
	Lanes    []LaneSpec
	Ops      []Op    // operations in file order; their ticks are relative to Start
	Generate []Group // groups of generated timers, in file order
}

// Called returns the title in the language lang, or else the name, or else the name of the file. It may be "".
func (s *Scenario) Called(lang string) string { return cmp.Or(s.Title.In(lang), s.Name, s.File) }

// LaneSpec is a lane of a scenario: an algorithm with its parameters.
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
	OpSet             // schedule a timer; a pending timer with the same name is cancelled first
	OpCancel
	OpReset // like OpSet, but the timer must have been scheduled before
	OpStall // stop advancing the wheels for Amount ticks
	OpClock // the wall clock, which only some wheels read, jumps by Amount ticks
)

// Op is an operation of the workload. Its fields are those of an operation in the scenario file, with all
// durations converted to base ticks.
type Op struct {
	At      int64 // tick of the operation, relative to the start of the scenario
	Kind    OpKind
	Timer   string
	Delay   int64
	Every   int64 // interval of a repeating timer in ticks; 0 means that the timer fires once
	Times   int32 // number of runs if Every is not 0; −1 means unlimited
	Created int64 // tick of the timer's creation, relative to the scenario's start; only the lk668 algorithm uses it
	Amount  int64 // number of ticks of a stall or clock jump; negative if the clock jumps backward

	hasCreated bool // whether Created is given; if so, the canonical JSON contains it
}

// SetCreated sets Created, the creation time of the timer, in ticks relative to the start of the scenario.
func (o *Op) SetCreated(tick int64) { o.Created, o.hasCreated = tick, true }

// HasCreated reports whether Created is given.
func (o *Op) HasCreated() bool { return o.hasCreated }

// Group describes generated timers of the workload: Count timers, whose names are Prefix followed by an
// index, counting from 0. The random numbers depend only on Seed and Prefix, not on other groups.
type Group struct {
	Prefix   string
	Seed     uint64
	Count    int
	Arrivals Dist // distribution of the ticks at which timers are scheduled
	Delay    Dist
	Repeat   Repeat       // describes how each timer repeats
	Cancel   *GroupCancel // describes which timers are cancelled; nil means none
	Reset    *GroupReset  // describes which timers are reset; nil means none
	Jitter   *Jitter      // describes by how much first due ticks are delayed; nil means not at all
}

// Jitter spreads the first due ticks of a group's repeating timers: each is delayed by a time drawn evenly from 0 to
// less than Span or, if Share is set, less than that share of the period.
type Jitter struct {
	Share Decimal // 0 to 1; used if Span has 0 ticks and no text
	Span  Span
}

// Ticks returns the upper end of the delays in base ticks for a period of every base ticks.
func (j *Jitter) Ticks(every int64) int64 {
	if j.Span != (Span{}) {
		return j.Span.Ticks
	}
	hi, lo := bits.Mul64(uint64(every), uint64(j.Share))
	n, _ := bits.Div64(hi, lo, uint64(DecimalOne)) // the share is at most 1, so hi is less than DecimalOne
	return int64(n)
}

// Repeat describes how a timer repeats.
type Repeat struct {
	Every Span  // interval between two runs; 0 ticks if the timer fires once
	Times int32 // number of runs if Every is not 0 ticks; −1 means unlimited
}

// GroupCancel describes which timers of a group are cancelled, and when.
type GroupCancel struct {
	Fraction Decimal // fraction of the timers that are cancelled, 0 to 1
	After    Dist    // distribution of the ticks between scheduling and cancelling a timer
}

// GroupReset describes which timers of a group are reset, and when. A timer is reset with its own delay while it is
// live: until its last run is due or it is cancelled. At one tick it is reset before it is cancelled.
type GroupReset struct {
	Fraction Decimal // fraction of the timers that are reset, 0 to 1
	Every    Dist    // distribution of the ticks between scheduling a timer and its first reset, and between two resets; a value of 0 counts as 1
	Until    *Dist   // distribution of the ticks between scheduling a timer and the end of its resets; nil means as long as it is live
}
