// Package own judges a timing wheel that somebody has written.
//
// [Try] drives the wheel through hand-made cases and seeded random workloads, and compares every answer with an
// oracle: a table of pending timers and their due ticks. The first wrong answer of a failed case is shrunk to a
// minimal case and explained in one sentence. A wheel is a Go value ([Wheel]) or a program that speaks JSON Lines
// over its standard input and output ([Command]).
//
// Start reading here, then judge.go (the rules), case.go (what is tried) and shrink.go.
package own

import "cmp"

// Wheel is the interface of a wheel under judgement. Its methods are called by one goroutine. Keys and ticks are
// integers; a key identifies a pending timer.
type Wheel interface {
	// Schedule adds a timer that is due at tick due, which is after now. Key is not pending. Schedule returns false
	// to reject the timer, because due is beyond the range of the wheel.
	Schedule(key, due int64) bool
	// Cancel removes the timer key. It returns whether the timer was pending.
	Cancel(key int64) bool
	// Advance moves the clock to tick to, which is after now, and returns the keys of the timers that fired, in order.
	Advance(to int64) []int64
}

// Placer is implemented by a Wheel that shows where its timers are. A place that no timer with that expiry can have
// is a fault.
type Placer interface {
	// Place returns the place of the pending timer key.
	Place(key int64) Place
	// Layout returns the levels, beginning with the finest.
	Layout() []Level
}

// Coster is implemented by a Wheel that counts its work.
type Coster interface {
	// Cost returns the units of work since the wheel was made, by the wheel's own rule, or a negative number if it does
	// not count them.
	Cost() int64
}

// Place is where a timer is: slot Slot of level Level. Rounds is the number of revolutions that its hand still
// passes over it.
type Place struct {
	Level  int   `json:"level"`
	Slot   int   `json:"slot"`
	Rounds int64 `json:"rounds"`
}

// Level is a level of a wheel: Slots slots of Width ticks.
type Level struct {
	Slots int   `json:"slots"`
	Width int64 `json:"width"`
}

// Params are the parameters of a wheel. A wheel may ignore them.
type Params struct {
	Slots  int `json:"slots"`  // of each level; 2 to 4,096
	Levels int `json:"levels"` // 1 to 8
}

// New makes a wheel whose clock is at tick start, which is not negative. Try calls it once for each case.
type New func(start int64, p Params) Wheel

// Options are the parameters of [Try]. The zero value judges an exact wheel without a range.
type Options struct {
	Params            // slots 8 and levels 3 where they are 0
	Late, Early int64 // by how many ticks a timer may fire late or early
	Range       int64 // the longest delay that the wheel must accept; 0: every delay
	Seed        uint64
	Runs        int // random workloads, at most RunsMax; 200 if it is 0
}

// Limits of the parameters.
const (
	SlotsMax     = 4096
	LevelsMax    = 8
	AllowanceMax = 1 << 20 // ticks late or early
	RunsMax      = 100_000
)

func (o Options) withDefaults() Options {
	o.Slots = cmp.Or(o.Slots, 8)
	o.Levels = cmp.Or(o.Levels, 3)
	o.Runs = cmp.Or(o.Runs, 200)
	return o
}

// span returns the ticks of a revolution of the coarsest level, at most spanMax.
func (p Params) span() int64 {
	n := int64(1)
	for range p.Levels {
		if n *= int64(p.Slots); n >= spanMax {
			return spanMax
		}
	}
	return n
}

// spanMax bounds the ticks of a case, because a wheel may visit each of them.
const spanMax = 1 << 16
