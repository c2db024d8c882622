package wheel

// dueMax bounds the runs that a Deliverer keeps for the next Advance.
const dueMax = RunsAtOnceMax

// Deliverer is a wheel for programs: Advance returns every run, also of timers that were due
// already when they were scheduled. Make it of an empty wheel, as Deliverer{Wheel: w}, and
// schedule by it only.
//
// The methods of a Wheel leave such runs to the caller of Schedule, who counts them, since a
// simulation needs them within the operation.
type Deliverer struct {
	Wheel
	due []Expiry // in order of scheduling; less than dueMax and the runs of one Schedule
}

// Schedule arms a timer. If runs of it are due already the next Advance returns them first;
// the handle is zero if none is left then. The error is that of the wheel, or ErrCapacity if
// RunsAtOnceMax runs or more wait for Advance: then nothing was scheduled.
//
// The Key of a Spec must not be PlaceKey, since a timer that is due already has no place: that
// is ErrKey.
func (d *Deliverer) Schedule(s Spec) (Timer, error) {
	switch {
	case s.Key == PlaceKey:
		return Timer{}, ErrKey
	case len(d.due) >= dueMax:
		return Timer{}, ErrCapacity
	}
	t, runs, err := d.Wheel.Schedule(s)
	for k := range runs {
		d.due = append(d.due, Expiry{Due: s.Due + Tick(k)*s.Every, Key: s.Key, Run: uint32(k) + 1})
	}
	return t, err
}

// Advance is Advance of the wheel. Runs that were due when they were scheduled come first.
func (d *Deliverer) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	fired = append(fired, d.due...)
	d.due = d.due[:0]
	return d.Wheel.Advance(to, fired, budget)
}

// Next is Next of the wheel, or Now if runs wait for Advance.
func (d *Deliverer) Next() (Tick, bool) {
	if len(d.due) > 0 {
		return d.Now(), true
	}
	return d.Wheel.Next()
}

// Clone returns an independent copy, with the runs that wait for Advance.
func (d *Deliverer) Clone() *Deliverer {
	return &Deliverer{Wheel: d.Wheel.Clone(), due: append([]Expiry(nil), d.due...)}
}
