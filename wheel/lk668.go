package wheel

// The faults of lk668, in the order of lk668Faults.
const (
	lk668Revolution faults = 1 << iota // a delay of whole revolutions loses a round
	lk668Storm                         // a visit goes on into what it puts into its own slot
	lk668Interval                      // a repeat counts whole ticks from the one it fired in
	lk668Times                         // times N runs N+1 times
	lk668Remove                        // removing a timer that has ended panics
	lk668Seconds                       // whole seconds: a delay or tick below one divides by zero
	lk668Created                       // the creation time moves the slot but not the rounds
	lk668Ticks                         // ticks that nobody took are never made up
)

var lk668Faults = []string{"revolution", "storm", "interval", "times", "remove", "seconds", "created", "ticks"}

// Lk668 is the wheel of github.com/lk668/timewheel (7f9962e), one of the seeds: a
// ring with rounds (it calls them circle) under a time.Ticker, recurring tasks,
// and creation times that spread equal intervals over the slots. Published, it
// has eight faults, each of which can be switched off.
//
//	pos    = (hand + (d − passed mod d) div u) mod n
//	circle = d div u div n, less 1 where pos is the hand's and circle is not 0
//
// A repeat is placed by the same with nothing passed, before its tick moves the
// hand on.
type Lk668 struct {
	positions
	unit   unit
	wall   Tick     // how far the wall clock is ahead of the driver's
	passed Tick     // since the timer being armed was created
	spans  []lkSpan // by index of the arena; what is past its end has none
}

// lkSpan is what a timer was given to be spread by.
type lkSpan struct {
	early Tick  // how much before its due tick it is meant to fire
	asked int32 // runs asked for; 0: no end, or one
}

// NewLk668 makes an empty wheel. The error is a *ParamError.
func NewLk668(c PositionConfig) (*Lk668, error) {
	on := c.faults(lk668Faults)
	ring, err := newPositions(c.Slots, c.Width, c.Start, on)
	if err != nil {
		return nil, err
	}
	ring.skips = on.has(lk668Ticks)
	return &Lk668{positions: ring, unit: unit{c.nanos(), on.has(lk668Seconds)}}, nil
}

func buildLk668(p Params, s Setting) (Wheel, error) { return NewLk668(positionConfig(p, s)) }

// Schedule arms a timer in O(1).
func (w *Lk668) Schedule(s Spec) (Timer, int, error) {
	asked := s.Times
	if s.Every > 0 && s.Times > 0 && w.on.has(lk668Times) {
		s.Times++
	}
	i, n, v := w.admit(&s)
	if v == placed {
		w.spread(i, n, s.Created, asked)
		v = w.place(i, n)
	}
	if v == placed {
		return Timer{i, n.gen}, 0, nil
	}
	t, runs, err := w.conclude(w, i, n, v)
	w.tellAfter(s.Key)
	return t, runs, err
}

// spread notes how much earlier than its due tick a timer is meant to fire: with
// d its delay, at the first whole d after its creation.
func (w *Lk668) spread(i uint32, n *node, created Tick, asked int32) {
	var s lkSpan
	w.passed = since(w.call()+w.wall, created)
	if d := n.due - w.call(); d > 0 {
		s.early = rest(w.passed, d)
	}
	if asked > 0 && n.rep != 0 {
		s.asked = asked
	}
	if s != (lkSpan{}) && len(w.spans) <= int(i) {
		w.spans = append(w.spans, make([]lkSpan, int(w.arena.used)-len(w.spans))...)
	}
	if int(i) < len(w.spans) {
		w.spans[i] = s
	}
}

// span is what was noted of a timer.
func (w *Lk668) span(i uint32) (s lkSpan) {
	if int(i) < len(w.spans) {
		s = w.spans[i]
	}
	return s
}

// aim is the due tick, less what the creation time takes away.
func (w *Lk668) aim(i uint32, n *node) Tick { return n.due - w.span(i).early }

func (w *Lk668) walksOn() bool { return w.on.has(lk668Storm) }

// unasked finds the run that comes after the last one asked for.
func (w *Lk668) unasked(i uint32, n *node) note {
	asked := int64(w.span(i).asked)
	if run := int64(w.arena.run(n)); asked > 0 && run > asked {
		return note{CodeTwice, asked, run}
	}
	return note{}
}

// JumpWall moves the wall clock, which tells how long ago a timer was created.
func (w *Lk668) JumpWall(by Tick) { w.wall += by }

// Remove is Cancel without a look whether the timer is there, as removeTask of the
// library does it: for one that has ended it asserts the type of a nil. That is told
// with other numbers than a division by a length of 0 seconds (1, 0).
func (w *Lk668) Remove(t Timer, key uint32) bool {
	if w.arena.find(t) == nil && !t.IsZero() && !w.dead && w.on.has(lk668Remove) {
		w.finding(CodePanic, key, 0, -1) // one fewer than none would be left under its key
	}
	return w.Cancel(t)
}

// Advance works the ticks up to `to`.
func (w *Lk668) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advanceFrom(w, to, fired, budget)
}

// Resume works one of the ticks that went by while the driver stood still; with the
// fault "ticks" corrected, all of them.
func (w *Lk668) Resume(to Tick, fired []Expiry) ([]Expiry, Status) {
	return w.resume(w, to, fired)
}

func (w *Lk668) step(fired []Expiry) []Expiry { return w.tickAt(w, fired) }

// Clone copies the wheel.
func (w *Lk668) Clone() Wheel {
	c := *w
	c.positions = w.copy()
	c.spans = append([]lkSpan(nil), w.spans...)
	return &c
}

// Bytes is the memory held, that of the creation times too.
func (w *Lk668) Bytes() int64 { return w.positions.Bytes() + int64(cap(w.spans))*16 }

// Check verifies every invariant of the structure.
func (w *Lk668) Check() error { return w.check(w) }
