package xiaoxu

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
	"github.com/wheelscope/wheelscope/wheel/port/internal/ring"
)

// The faults of xiaoxu, in the order of faultNames.
const (
	xiaoxuNegative core.Faults = 1 << iota // a delay below 0 indexes below slot 0, or waits for a revolution
	xiaoxuTicks                            // missed ticks are never made up
	xiaoxuOutside                          // the slot is computed before a tick at the same instant, the task added after it
)

var faultNames = []string{"negative", "ticks", "outside"}

// xiaoxu is the ring with a slot computed outside of the wheel.
type xiaoxu struct{ ring.Ring }

// Config is the geometry of the wheel and the faults that are switched on.
type Config = ring.Config

// New returns an empty wheel. The error is a *ParamError.
func New(c Config) (wheel.Wheel, error) {
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

func build(p catalog.Params, s catalog.Env) (wheel.Wheel, error) { return New(ring.ConfigOf(p, s)) }

// Schedule adds a timer in O(1).
func (w *xiaoxu) Schedule(s wheel.Spec) (wheel.Timer, int, error) { return w.ScheduleFor(w, &s) }

// PlaceNode reproduces getPosAndCircle of the library: its division truncates toward zero, and
// its remainder keeps the sign.
func (w *xiaoxu) PlaceNode(i uint32, n *core.Node) core.PlaceResult {
	d := n.Due - w.Reference()
	if d < 0 && !w.Faults.Has(xiaoxuNegative) {
		if w.HasReached(n.Due) {
			return w.AtOnce(n)
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
	return w.Put(i, n, uint32(pos), 0) // its cycle, 0 or less, fires at the next visit
}

// onTick reports whether a tick has been processed at this very instant.
func (w *xiaoxu) onTick() bool {
	return !w.Visiting && w.Ticks > 0 && w.CallTime() == w.Reached && (w.Reached-w.Shift())%w.U == 0
}

// Advance processes the ticks up to `to`.
func (w *xiaoxu) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	return w.AdvanceFrom(w, to, fired, budget)
}

// Resume processes one of the ticks that passed while the driver was stopped; with the
// fault "ticks" corrected, all of them.
func (w *xiaoxu) Resume(to wheel.Tick, fired []wheel.Expiry) ([]wheel.Expiry, wheel.Status) {
	return w.ResumeFrom(w, to, fired)
}

func (w *xiaoxu) ProcessTick(fired []wheel.Expiry) []wheel.Expiry { return w.ProcessAt(w, fired) }

// Clone copies the wheel.
func (w *xiaoxu) Clone() wheel.Wheel { return &xiaoxu{w.Copy()} }

// Check verifies every invariant of the structure.
func (w *xiaoxu) Check() error { return w.CheckWith(w) }
