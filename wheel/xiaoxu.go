package wheel

// The faults of xiaoxu, in the order of xiaoxuFaults.
const (
	xiaoxuNegative faults = 1 << iota // a delay below 0 indexes below slot 0, or waits a revolution
	xiaoxuTicks                       // ticks that nobody took are never made up
	xiaoxuOutside                     // the slot is computed before a tick at the same instant, the task added after it
)

var xiaoxuFaults = []string{"negative", "ticks", "outside"}

// Xiaoxu is the local wheel of github.com/xiaoxuxiansheng/timewheel (8f0e64b), one
// of the seeds: a ring with rounds (cycles) under a time.Ticker, where a key that
// is armed again replaces. Published, it computes with a delay below 0 as with any
// other: the slot may come out below 0, and the panic ends the wheel's goroutine.
//
//	pos   = (hand + delay div u) mod n
//	cycle = delay div (n·u)
//
// The slot is computed by the caller's goroutine and used by the wheel's: a tick
// that comes in between has moved the hand on, and a delay of less than a tick has
// its slot behind it. That is a race, so it shows only where it is asked for: with
// the fault "outside" every timer armed in the instant of a tick loses it.
type Xiaoxu struct{ positions }

// NewXiaoxu makes an empty wheel. The error is a *ParamError.
func NewXiaoxu(c PositionConfig) (*Xiaoxu, error) {
	on := c.faults(xiaoxuFaults)
	if c.Faults == nil {
		on &^= xiaoxuOutside
	}
	ring, err := newPositions(c.Slots, c.Width, c.Start, on)
	if err != nil {
		return nil, err
	}
	ring.skips = on.has(xiaoxuTicks)
	return &Xiaoxu{ring}, nil
}

func buildXiaoxu(p Params, s Setting) (Wheel, error) { return NewXiaoxu(positionConfig(p, s)) }

// Schedule arms a timer in O(1).
func (w *Xiaoxu) Schedule(s Spec) (Timer, int, error) { return w.armed(w, &s) }

// place is getPosAndCircle of the library: its division cuts towards zero, its
// remainder keeps the sign.
func (w *Xiaoxu) place(i uint32, n *node) verdict {
	d := n.due - w.clock()
	if d < 0 && !w.on.has(xiaoxuNegative) {
		if w.reached(n.due) {
			return w.atOnce(n)
		}
		d = 0
	}
	hand := w.tick
	if w.on.has(xiaoxuOutside) && w.onTick() {
		hand--
	}
	switch {
	case d >= 0 && hand == w.tick:
		return w.ahead(i, n, d)
	case d >= 0:
		j := d / w.u
		return w.put(i, n, uint32((hand+j)%w.n), j/w.n)
	}
	pos := (hand%w.n + d/w.u) % w.n
	if pos < 0 {
		return w.fails(0, pos)
	}
	return w.put(i, n, uint32(pos), 0) // its cycle, 0 or less, fires at the next visit
}

// onTick says whether a tick has been worked in this very instant.
func (w *Xiaoxu) onTick() bool {
	return !w.visiting && w.tick > 0 && w.call() == w.now && (w.now-w.shift())%w.u == 0
}

// Advance works the ticks up to `to`.
func (w *Xiaoxu) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advanceFrom(w, to, fired, budget)
}

// Resume works one of the ticks that went by while the driver stood still; with the
// fault "ticks" corrected, all of them.
func (w *Xiaoxu) Resume(to Tick, fired []Expiry) ([]Expiry, Status) {
	return w.resume(w, to, fired)
}

func (w *Xiaoxu) step(fired []Expiry) []Expiry { return w.tickAt(w, fired) }

// Clone copies the wheel.
func (w *Xiaoxu) Clone() Wheel { return &Xiaoxu{w.copy()} }

// Check verifies every invariant of the structure.
func (w *Xiaoxu) Check() error { return w.check(w) }
