package simple

// NeverEarly implements wheel.NeverEarly. Timers can fire early with Floor.
func (w *simple) NeverEarly() bool { return !bool(w.round) }
