package lk668

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"github.com/wheelscope/wheelscope/wheel/port/internal/ring"
)

// The faults of lk668, in the order of faultNames.
const (
	lk668Revolution core.Faults = 1 << iota // a delay of whole revolutions loses a round
	lk668Storm                              // a visit continues with timers that it puts into its own slot
	lk668Interval                           // a repeat counts whole ticks from the tick it fired in
	lk668Times                              // a timer with times N runs N+1 times
	lk668Remove                             // removing a timer that has ended panics
	lk668Seconds                            // whole seconds: a delay or tick below one divides by zero
	lk668Created                            // the creation time moves the slot but not the rounds
	lk668Ticks                              // missed ticks are never made up
)

var faultNames = []string{"revolution", "storm", "interval", "times", "remove", "seconds", "created", "ticks"}

// lk668 is the ring with creation times.
type lk668 struct {
	ring.Ring
	unit   ring.Unit
	wall   wheel.Tick // how far the wall clock is ahead of the driver's clock
	passed wheel.Tick // since the creation of the timer being scheduled
	spans  []lkSpan   // by index in the arena; an index past the end has the zero lkSpan
}

// lkSpan is what a creation time and a number of runs mean for a timer.
type lkSpan struct {
	early wheel.Tick // how long before its due tick it should fire
	asked int32      // runs requested; 0: no limit, or one
}

// Config is the geometry of the wheel and the faults that are switched on.
type Config = ring.Config

// New returns an empty wheel. The error is a *ParamError.
func New(c Config) (wheel.Wheel, error) {
	on := c.FaultsOf(faultNames)
	r, err := ring.New(c.Slots, c.Width, c.Start, on)
	if err != nil {
		return nil, err
	}
	r.SkipsMissed = on.Has(lk668Ticks)
	return &lk668{Ring: r, unit: ring.Unit{NanosPerTick: c.Nanos(), Whole: on.Has(lk668Seconds)}}, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Wheel, error) { return New(ring.ConfigOf(p, s)) }

// Schedule adds a timer in O(1).
func (w *lk668) Schedule(s wheel.Spec) (wheel.Timer, int, error) {
	asked := s.Times
	if s.Every > 0 && s.Times > 0 && w.Faults.Has(lk668Times) {
		s.Times++
	}
	i, n, v := w.Admit(&s)
	if v == core.Placed {
		w.spread(i, n, s.Created, asked)
		v = w.PlaceNode(i, n)
	}
	if v == core.Placed {
		return wheel.NewTimer(i, n.Gen), 0, nil
	}
	t, runs, err := w.Conclude(w, i, n, v)
	w.EmitDeferred(s.Key)
	return t, runs, err
}

// spread records how long before its due tick a timer should fire: with a delay of d, it
// should fire at the first multiple of d after its creation.
func (w *lk668) spread(i uint32, n *core.Node, created wheel.Tick, asked int32) {
	var s lkSpan
	w.passed = ring.Since(w.CallTime()+w.wall, created)
	if d := n.Due - w.CallTime(); d > 0 {
		s.early = ring.Rest(w.passed, d)
	}
	if asked > 0 && n.Repeat != 0 {
		s.asked = asked
	}
	if s != (lkSpan{}) && len(w.spans) <= int(i) {
		w.spans = append(w.spans, make([]lkSpan, int(w.Arena.Used)-len(w.spans))...)
	}
	if int(i) < len(w.spans) {
		w.spans[i] = s
	}
}

// span returns the lkSpan of a timer.
func (w *lk668) span(i uint32) (s lkSpan) {
	if int(i) < len(w.spans) {
		s = w.spans[i]
	}
	return s
}

// Aim returns the due tick, less what the creation time subtracts.
func (w *lk668) Aim(i uint32, n *core.Node) wheel.Tick { return n.Due - w.span(i).early }

func (w *lk668) ContinuesVisit() bool { return w.Faults.Has(lk668Storm) }

// UnaskedRun returns a finding if the run is one more than was requested.
func (w *lk668) UnaskedRun(i uint32, n *core.Node) ring.Note {
	asked := int64(w.span(i).asked)
	if run := int64(w.Arena.Run(n)); asked > 0 && run > asked {
		return ring.Note{Code: wheel.CodeTwice, Expect: asked, Got: run}
	}
	return ring.Note{}
}

// MoveWallClock moves the wall clock, from which the age of a timer is computed.
func (w *lk668) MoveWallClock(by wheel.Tick) { w.wall += by }

// Remove is Cancel without a check that the timer exists, like removeTask of the library,
// which asserts the type of a nil value for a timer that has ended. The finding has other
// numbers than that of a division by a length of 0 seconds (1, 0).
func (w *lk668) Remove(t wheel.Timer, key uint32) bool {
	if w.Arena.Find(t) == nil && !t.IsZero() && !w.Halted && w.Faults.Has(lk668Remove) {
		w.EmitFinding(wheel.CodePanic, key, 0, -1) // its key would then have one timer fewer than none
	}
	return w.Cancel(t)
}

// Advance processes the ticks up to `to`.
func (w *lk668) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.AdvanceFrom(w, to, fired, budget)
}

// Resume processes one of the ticks that passed while the driver was stopped; with the
// fault "ticks" corrected, all of them.
func (w *lk668) Resume(to wheel.Tick, fired []wheel.Expiry) ([]wheel.Expiry, wheel.Status) {
	return w.ResumeFrom(w, to, fired)
}

func (w *lk668) ProcessTick(fired []wheel.Expiry) []wheel.Expiry { return w.ProcessAt(w, fired) }

// Clone copies the wheel.
func (w *lk668) Clone() wheel.Wheel {
	c := *w
	c.Ring = w.Copy()
	c.spans = append([]lkSpan(nil), w.spans...)
	return &c
}

// Bytes returns the memory of the wheel, including the creation times.
func (w *lk668) Bytes() int64 { return w.Ring.Bytes() + int64(cap(w.spans))*16 }

// Check verifies every invariant of the structure.
func (w *lk668) Check() error { return w.CheckWith(w) }
