package godis

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"github.com/wheelscope/wheelscope/wheel/port/internal/ring"
)

// The faults of godis, in the order of faultNames.
const (
	godisSeconds  core.Faults = 1 << iota // fault: times are truncated to whole seconds; a tick shorter than a second causes a division by zero
	godisNegative                         // fault: a timer with a negative delay is dropped and never fires
	godisTicks                            // fault: the ticks that pass while the driver is stalled are lost, except for one
)

var faultNames = []string{"seconds", "negative", "ticks"}

// godis is the timing wheel of the godis project: one array of slots with rounds. If the fault
// "seconds" is switched on, slots and rounds are computed from times in whole seconds.
type godis struct {
	ring.Ring
	unit ring.Unit
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
	r.SkipsMissed = on.Has(godisTicks)
	return &godis{r, ring.Unit{NanosPerTick: c.Nanos(), Whole: on.Has(godisSeconds)}}, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(ring.ConfigOf(p, s))
}

// Schedule adds the timer described by s in O(1). It returns the timer's handle and the number of runs of the timer
// that are already due; see [wheel.Wheel].
func (w *godis) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleFor(w, &s) }

// PlaceNode implements [core.Placer]. It computes the slot and the rounds of node n, which has index i, as the
// functions AddJob and getPositionAndCircle of godis do, but without the faults that are switched off.
func (w *godis) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	d := n.Due - w.Reference()
	if d < 0 && !w.Faults.Has(godisNegative) {
		if w.HasReached(n.Due) {
			return w.AtOnce(n, w.Reference())
		}
		d = 0
	}
	switch {
	case d < 0:
		w.Deferred = ring.Note{Code: wheel.CodeLost, Expect: 1, Got: 0}
		return core.BadPast
	case !w.unit.Holds(d):
		return core.BadRange
	}
	u := w.unit.Of(w.U)
	if u == 0 {
		return w.Fail(1, 0)
	}
	by, circle := w.Turns(w.unit.Of(d), u)
	return w.Put(i, n, w.SlotPast(w.Hand, by), circle)
}

// Advance processes all ticks up to tick to, inclusive, and appends the runs that fire to fired; see
// [wheel.Wheel].
func (w *godis) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.AdvanceFrom(w, to, fired, budget)
}

// Resume is called instead of Advance after a stall of the driver. It processes only the tick that
// the ticker buffered during the stall, or all missed ticks if the fault "ticks" is switched off; see
// [port.TickCounter].
func (w *godis) Resume(to wheel.Tick, fired []wheel.Expiry) ([]wheel.Expiry, wheel.Status) {
	return w.ResumeFrom(w, to, fired)
}

func (w *godis) ProcessTick(fired []wheel.Expiry) []wheel.Expiry { return w.ProcessAt(w, fired) }

// Clone returns an independent copy of the wheel, without its log.
func (w *godis) Clone() wheel.Observable { return &godis{w.Copy(), w.unit} }

// Check verifies the arena and every slot. It returns the first violation found, or nil.
func (w *godis) Check() error { return w.CheckWith(w) }
