package xiaoxu

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"github.com/wheelscope/wheelscope/wheel/port/internal/ring"
)

// The faults of xiaoxu, in the order of faultNames.
const (
	xiaoxuNegative core.Faults = 1 << iota // fault: a negative delay selects a slot behind the hand: the timer waits up to a revolution, or the code panics if the slot number is negative
	xiaoxuTicks                            // fault: the ticks that pass while the driver is stalled are lost, except for one
	xiaoxuOutside                          // fault: if a timer is scheduled exactly at a tick of the wheel, its slot is computed from the hand's position before that tick
)

var faultNames = []string{"negative", "ticks", "outside"}

// xiaoxu is the wheel of the library xiaoxuxiansheng/timewheel: one array of slots with rounds.
type xiaoxu struct{ ring.Ring }

// Config holds the geometry of the wheel and the faults that are switched on.
type Config = ring.Config

// New returns an empty wheel with configuration c. It returns a *wheel.ParamError if a field of c
// is out of range.
func New(c Config) (wheel.Observable, error) {
	on := c.FaultsOf(faultNames)
	if c.Faults == nil {
		on &^= xiaoxuOutside
	}
	r, err := ring.New(c.Slots, c.Width, c.Start, on)
	if err != nil {
		return nil, err
	}
	r.SkipsMissed = on.Has(xiaoxuTicks)
	return &xiaoxu{r}, nil
}

func build(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	return New(ring.ConfigOf(p, s))
}

// Schedule adds the timer described by s in O(1). It returns the timer's handle and the number of runs of the timer
// that are already due; see [wheel.Wheel].
func (w *xiaoxu) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleFor(w, &s) }

// PlaceNode implements [core.Placer]. It computes the slot and the rounds of node n, which has index i, as the
// library's function getPosAndCircle does. With the fault "negative", the slot number for a negative delay may be
// negative, because division truncates toward zero; PlaceNode then rejects the timer, because the library would panic.
func (w *xiaoxu) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	d := n.Due - w.Reference()
	if d < 0 && !w.Faults.Has(xiaoxuNegative) {
		if w.HasReached(n.Due) {
			return w.AtOnce(n, w.Reference())
		}
		d = 0
	}
	hand := w.Ticks
	if w.Faults.Has(xiaoxuOutside) && w.onTick() {
		hand--
	}
	switch {
	case d >= 0 && hand == w.Ticks:
		return w.PlaceAhead(i, n, d)
	case d >= 0:
		j := d / w.U
		return w.Put(i, n, uint32((hand+j)%w.N), j/w.N)
	}
	pos := (hand%w.N + d/w.U) % w.N
	if pos < 0 {
		return w.Fail(0, pos)
	}
	return w.Put(i, n, uint32(pos), 0) // with a cycle of 0 or less it fires at the next visit
}

// onTick reports whether the current call is made outside a visit, exactly at a tick of the wheel
// that has already been processed.
func (w *xiaoxu) onTick() bool {
	return !w.Visiting && w.Ticks > 0 && w.CallTime() == w.Reached && (w.Reached-w.Shift())%w.U == 0
}

// Advance processes all ticks up to tick to, inclusive, and appends the runs that fire to fired; see
// [wheel.Wheel].
func (w *xiaoxu) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.AdvanceFrom(w, to, fired, budget)
}

// Resume is called instead of Advance after a stall of the driver. It processes only the tick that
// the ticker buffered during the stall, or all missed ticks if the fault "ticks" is switched off; see
// [port.TickCounter].
func (w *xiaoxu) Resume(to wheel.Tick, fired []wheel.Expiry) ([]wheel.Expiry, wheel.Status) {
	return w.ResumeFrom(w, to, fired)
}

func (w *xiaoxu) ProcessTick(fired []wheel.Expiry) []wheel.Expiry { return w.ProcessAt(w, fired) }

// Clone returns an independent copy of the wheel, without its log.
func (w *xiaoxu) Clone() wheel.Observable { return &xiaoxu{w.Copy()} }

// Check verifies the arena and every slot. It returns the first violation found, or nil.
func (w *xiaoxu) Check() error { return w.CheckWith(w) }
