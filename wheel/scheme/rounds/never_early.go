package rounds

// NeverEarly implements wheel.NeverEarly: Floor and ProcInc fire early.
func (w *rounds) NeverEarly() bool { return !bool(w.round) && w.lag == 0 }
