package wheel

// dueMax bounds the runs that a Deliverer keeps for the next Advance.
const dueMax = RunsAtOnceMax

// Deliverer is a wheel for use in programs: Advance returns every run, including those that
// were already due when their timer was scheduled. Create it as Deliverer{Wheel: w} from a
// wheel without timers, and schedule only through it.
//
// A Wheel alone returns the number of such runs from Schedule and leaves them to the caller,
// because a simulation executes them as part of the operation.
type Deliverer struct {
	Wheel
	due []Expiry // in order of scheduling; fewer than dueMax plus the runs of one Schedule
}

// Schedule schedules a timer. Runs that are already due are returned first by the next
// Advance; if no other run remains, the handle is zero. The error is that of the wheel, or
// ErrCapacity if RunsAtOnceMax or more runs wait for Advance. In that case nothing is scheduled.
//
// A Spec whose Key is PlaceKey is rejected with ErrKey, since a timer that is already due has
// no place.
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

// Advance advances the wheel. It appends the runs that were already due when they were scheduled
// to fired, then those that the wheel returns.
func (d *Deliverer) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	fired = append(fired, d.due...)
	d.due = d.due[:0]
	return d.Wheel.Advance(to, fired, budget)
}

// Next returns Next of the wheel, or Now if runs wait for Advance.
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
