package wheel

// dueMax is the number of undelivered runs at which Deliverer.Schedule returns ErrCapacity.
const dueMax = RunsAtOnceMax

// Deliverer wraps a Wheel for use in programs: its Advance returns every run, including runs
// that were already due when their timer was scheduled. Create it as Deliverer{Wheel: w} with
// a wheel that has no timers, and schedule timers only through the Deliverer. Its methods must not
// be called concurrently.
//
// By contrast, the Schedule method of a Wheel returns only the number of runs that are already due,
// and the caller must execute these runs. That suits a simulation, in which executing them is part of
// the operation.
type Deliverer struct {
	Wheel
	due []Expiry // undelivered runs, which the next Advance returns, in the order in which they were scheduled
}

// Schedule schedules the timer described by s. Runs that are already due are returned by the next
// Advance; if the timer has no other runs, the handle is zero.
//
// Schedule returns the wheel's error, or ErrCapacity if RunsAtOnceMax or more runs have not been
// delivered yet. After an error, the timer is not scheduled, but those of its runs that were
// already due may still be delivered. Schedule returns ErrKey if s.Key is PlaceKey. With PlaceKey,
// the key of a timer is the Index of its handle, but a timer whose runs are all already due has no
// handle.
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

// Advance is like [Wheel.Advance], but first appends the undelivered runs to fired: those that were
// already due when their timer was scheduled.
func (d *Deliverer) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	fired = append(fired, d.due...)
	d.due = d.due[:0]
	return d.Wheel.Advance(to, fired, budget)
}

// Next returns Now and true if there are undelivered runs. Otherwise it is like [Wheel.Next].
func (d *Deliverer) Next() (Tick, bool) {
	if len(d.due) > 0 {
		return d.Now(), true
	}
	return d.Wheel.Next()
}
