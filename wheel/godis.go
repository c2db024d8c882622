package wheel

// The faults of godis, in the order of godisFaults.
const (
	godisSeconds  faults = 1 << iota // whole seconds: a tick below one divides by zero
	godisNegative                    // a delay below 0 is dropped without a word
	godisTicks                       // ticks that nobody took are never made up
)

var godisFaults = []string{"seconds", "negative", "ticks"}

// Godis is lib/timewheel of github.com/HDT3213/godis (f13d9cb), one of the seeds:
// a ring with rounds (circle) under a time.Ticker that reckons in whole seconds.
//
//	pos    = (hand + s div us) mod n    s, us: delay and tick in whole seconds
//	circle = s div us div n
type Godis struct {
	positions
	unit unit
}

// NewGodis makes an empty wheel. The error is a *ParamError.
func NewGodis(c PositionConfig) (*Godis, error) {
	on := c.faults(godisFaults)
	ring, err := newPositions(c.Slots, c.Width, c.Start, on)
	if err != nil {
		return nil, err
	}
	ring.skips = on.has(godisTicks)
	return &Godis{ring, unit{c.nanos(), on.has(godisSeconds)}}, nil
}

func buildGodis(p Params, s Setting) (Wheel, error) { return NewGodis(positionConfig(p, s)) }

// Schedule arms a timer in O(1).
func (w *Godis) Schedule(s Spec) (Timer, int, error) { return w.armed(w, &s) }

// place is AddJob and getPositionAndCircle of the library.
func (w *Godis) place(i uint32, n *node) verdict {
	d := n.due - w.clock()
	if d < 0 && !w.on.has(godisNegative) {
		if w.reached(n.due) {
			return w.atOnce(n)
		}
		d = 0
	}
	switch {
	case d < 0:
		w.after = note{CodeLost, 1, 0}
		return badPast
	case !w.unit.holds(d):
		return badRange
	}
	u := w.unit.of(w.u)
	if u == 0 {
		return w.fails(1, 0)
	}
	by, circle := w.turns(w.unit.of(d), u)
	return w.put(i, n, w.past(w.hand, by), circle)
}

// Advance works the ticks up to `to`.
func (w *Godis) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advanceFrom(w, to, fired, budget)
}

// Resume works one of the ticks that went by while the driver stood still; with the
// fault "ticks" corrected, all of them.
func (w *Godis) Resume(to Tick, fired []Expiry) ([]Expiry, Status) {
	return w.resume(w, to, fired)
}

func (w *Godis) step(fired []Expiry) []Expiry { return w.tickAt(w, fired) }

// Clone copies the wheel.
func (w *Godis) Clone() Wheel { return &Godis{w.copy(), w.unit} }

// Check verifies every invariant of the structure.
func (w *Godis) Check() error { return w.check(w) }
