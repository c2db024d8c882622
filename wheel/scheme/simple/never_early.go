package simple

// NeverEarly implements wheel.NeverEarly: Floor fires early.
func (w *simple) NeverEarly() bool { return !bool(w.round) }
