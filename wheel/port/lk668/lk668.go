package lk668

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"github.com/wheelscope/wheelscope/wheel/port/internal/ring"
)

// The faults of lk668, in the order of faultNames.
const (
	lk668Revolution core.Faults = 1 << iota // fault: a delay that is a multiple of a revolution gets one round too few
	lk668Storm                              // fault: a visit includes timers added to the slot during the visit
	lk668Interval                           // fault: intervals are truncated to whole wheel ticks, so runs drift from their due ticks
	lk668Times                              // fault: a timer whose Spec.Times is N runs N+1 times
	lk668Remove                             // fault: removing a timer that has ended panics
	lk668Seconds                            // fault: times are truncated to whole seconds; a delay or tick shorter than a second causes a division by zero
	lk668Created                            // fault: a timer's creation time affects its slot but not its rounds
	lk668Ticks                              // fault: the ticks that pass while the driver is stalled are lost, except for one
)

var faultNames = []string{"revolution", "storm", "interval", "times", "remove", "seconds", "created", "ticks"}

// lk668 is the wheel of the library lk668/timewheel: one array of slots with rounds. The slot of a timer also
// depends on the time at which the timer was created, which may be before it is scheduled.
type lk668 struct {
	ring.Ring
	unit   ring.Unit  // unit of time in which the library computes
	wall   wheel.Tick // number of base ticks by which the wall clock is ahead of the driver's clock
	passed wheel.Tick // age of the timer that is being scheduled, in base ticks
	// created is the tick at which the next timer was created; ignored unless hasCreated is set.
	created    wheel.Tick
	hasCreated bool
	spans      []lkSpan // lkSpan of each timer, indexed like the arena; an index beyond the slice means the zero lkSpan
}

// lkSpan holds values derived from a timer's creation time and number of runs.
type lkSpan struct {
	early wheel.Tick // number of base ticks by which the timer should fire before its due tick
	asked int32      // requested number of runs of a repeating timer; 0 if it is unlimited or the timer does not repeat
}

// Config holds the geometry of the wheel and the faults that are switched on.
type Config = ring.Config

// New returns an empty wheel with configuration c. It returns a *wheel.ParamError if a field of c
// is out of range.
func New(c Config) (wheel.Observable, error) {
	on := c.FaultsOf(faultNames)
	r, err := ring.New(c.Slots, c.Width, c.Start, on)
	if err != nil {
		return nil, err
	}
	r.SkipsMissed = on.Has(lk668Ticks)
	return &lk668{Ring: r, unit: ring.Unit{NanosPerTick: c.Nanos(), Whole: on.Has(lk668Seconds)}}, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(ring.ConfigOf(p, s))
}

// Schedule adds the timer described by s in O(1). It returns the timer's handle and the number of runs of the timer
// that are already due; see [wheel.Wheel].
func (w *lk668) Schedule(s wheel.Spec) (wheel.Timer, int, error) {
	defer func() { w.hasCreated = false }()
	asked := s.Times
	if s.Every > 0 && s.Times > 0 && w.Faults.Has(lk668Times) {
		s.Times++
	}
	i, n, v := w.Admit(&s)
	if v == core.Placed {
		w.spread(i, n, asked)
		v = w.PlaceNode(i, n)
	}
	if v == core.Placed {
		return wheel.NewTimer(i, n.Gen), 0, nil
	}
	t, runs, err := w.Conclude(w, i, n, v)
	w.EmitDeferred(s.Key)
	return t, runs, err
}

// SetCreated sets the tick at which the next timer was created; see [port.CreationSetter].
func (w *lk668) SetCreated(at wheel.Tick) { w.created, w.hasCreated = at, true }

// spread sets w.passed to the age of the new timer with node n and index i, and stores the lkSpan of the timer in
// w.spans. asked is the requested number of runs. By the
// library's rule, a timer with delay d should first fire at the earliest of the ticks created+d, created+2d, … that is
// later than the wall clock's current time.
func (w *lk668) spread(i uint32, n *core.Node, asked int32) {
	var s lkSpan
	w.passed = 0
	if w.hasCreated {
		w.passed = ring.Since(w.CallTime()+w.wall, w.created)
	}
	if d := n.Due - w.CallTime(); d > 0 {
		s.early = ring.Rest(w.passed, d)
	}
	if asked > 0 && n.Repeat != 0 {
		s.asked = asked
	}
	if s != (lkSpan{}) && len(w.spans) <= int(i) {
		w.spans = append(w.spans, make([]lkSpan, int(i)+1-len(w.spans))...)
	}
	if int(i) < len(w.spans) {
		w.spans[i] = s
	}
}

// span returns the lkSpan of the timer at index i.
func (w *lk668) span(i uint32) (s lkSpan) {
	if int(i) < len(w.spans) {
		s = w.spans[i]
	}
	return s
}

// Aim returns the tick at which, by the library's rule, the timer with node n and index i should fire. This may be
// before the due tick if the timer was created before it was scheduled.
func (w *lk668) Aim(i uint32, n *core.Node) wheel.Tick { return n.Due - w.span(i).early }

func (w *lk668) ContinuesVisit() bool { return w.Faults.Has(lk668Storm) }

// ExtraRun returns a finding if the current run of the timer with node n and index i is not one of the
// requested runs, because the timer runs too often. Otherwise it returns the zero Note.
func (w *lk668) ExtraRun(i uint32, n *core.Node) ring.Note {
	asked := int64(w.span(i).asked)
	if run := int64(w.Arena.Run(n)); asked > 0 && run > asked {
		return ring.Note{Code: wheel.CodeTwice, Expect: asked, Got: run}
	}
	return ring.Note{}
}

// MoveWallClock moves the wall clock by the given number of base ticks; see [port.WallClockSetter].
// The library computes the age of a timer from the wall clock.
func (w *lk668) MoveWallClock(by wheel.Tick) { w.wall += by }

// Remove is like Cancel, but reproduces the library's function removeTask, which panics if the timer
// has ended. In that case Remove returns false and, if the fault "remove" is switched on, emits a
// CodePanic finding about the timer with the given key. The values of this finding, 0 and −1,
// distinguish it from the CodePanic finding about a division by zero, whose values are 1 and 0.
func (w *lk668) Remove(t wheel.Timer, key uint32) bool {
	if w.Arena.Find(t) == nil && !t.IsZero() && !w.Halted && w.Faults.Has(lk668Remove) {
		w.EmitFinding(wheel.CodePanic, key, 0, -1) // 0 timers exist, and the removal would leave −1
	}
	return w.Cancel(t)
}

// Advance processes all ticks up to tick to, inclusive, and appends the runs that fire to fired; see
// [wheel.Wheel].
func (w *lk668) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.AdvanceFrom(w, to, fired, budget)
}

// Resume is called instead of Advance after a stall of the driver. It processes only the tick that
// the ticker buffered during the stall, or all missed ticks if the fault "ticks" is switched off; see
// [port.TickCounter].
func (w *lk668) Resume(to wheel.Tick, fired []wheel.Expiry) ([]wheel.Expiry, wheel.Status) {
	return w.ResumeFrom(w, to, fired)
}

func (w *lk668) ProcessTick(fired []wheel.Expiry) []wheel.Expiry { return w.ProcessAt(w, fired) }

// Clone returns an independent copy of the wheel, without its log.
func (w *lk668) Clone() wheel.Observable {
	c := *w
	c.Ring = w.Copy()
	c.spans = append([]lkSpan(nil), w.spans...)
	return &c
}

// Bytes returns the number of bytes of memory that the wheel uses, including the lkSpans.
func (w *lk668) Bytes() int64 { return w.Ring.Bytes() + int64(cap(w.spans))*16 }

// Check verifies the arena and every slot. It returns the first violation found, or nil.
func (w *lk668) Check() error { return w.CheckWith(w) }

// PlaceNode implements [core.Placer]. It computes the slot and the rounds of node n, which has index i, as
// the library's function addTask does, but without the faults that are switched off.
func (w *lk668) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	if !w.Visiting {
		return w.placeFirst(i, n)
	}
	if w.Faults.Has(lk668Interval) {
		return w.placeRepeat(i, n)
	}
	delta := w.Aim(i, n) - w.At
	if delta < 0 {
		return w.AtOnce(n, w.Reference())
	}
	return w.PlaceAhead(i, n, delta)
}

// placeFirst puts node n, which has index i and whose timer is being scheduled, into the slot for the
// first run of the timer that does not fire immediately. It computes the slot and the rounds as the
// library's function getPosAndCircleByCreatedTime does.
func (w *lk668) placeFirst(i uint32, n *core.Node) core.PlaceResult {
	d := n.Due - w.CallTime()
	switch {
	case d <= 0 && w.Faults == 0:
		w.passed = 0
		if !w.HasReached(n.Due) {
			return w.PlaceAhead(i, n, n.Due-w.Reached)
		}
		return w.AtOnce(n, w.Reference())
	case d <= 0:
		return core.BadPast // AddTask: "Invalid task params"
	case !w.unit.Holds(d):
		return core.BadRange
	}
	u, whole := w.unit.Of(w.U), w.unit.Of(d)
	if u == 0 || whole == 0 {
		return w.Fail(1, 0)
	}
	full, spread := w.unit.Of(n.Due-w.Reference()), ring.Rest(w.unit.Of(w.passed), whole)
	delta := full - spread
	if delta > wheel.TickMax { // created in the far future
		return core.BadRange
	}
	w.passed = 0 // a run that is placed by the same call counts from its due tick
	by, circle := w.Turns(delta, u)
	if spread != 0 && w.Faults.Has(lk668Created) {
		_, circle = w.Turns(full, u)
	}
	if by == 0 && circle > 0 && w.Faults.Has(lk668Revolution) {
		circle--
	}
	return w.Put(i, n, w.SlotPast(w.Hand, by), circle)
}

// placeRepeat puts node n, which has index i and whose repeating timer has just fired, into the
// slot for the next run. It computes the slot and the rounds as the library's function
// getPosAndCircleByInterval does. If the interval is a multiple of a revolution, the timer stays in
// the slot that is being visited, and gets one round fewer, because the next visit to that slot is a
// whole revolution later. placeRepeat divides by the length of a wheel tick in units of w.unit. This
// length is not 0, because placeFirst would have rejected the first run.
func (w *lk668) placeRepeat(i uint32, n *core.Node) core.PlaceResult {
	u, d := w.unit.Of(w.U), w.unit.Of(w.Arena.Repeats.Items[n.Repeat].Every)
	by, circle := w.Turns(d, u)
	if by == 0 && circle > 0 {
		circle--
	}
	return w.Put(i, n, w.SlotPast((w.Ticks-1)%w.N, by), circle)
}
