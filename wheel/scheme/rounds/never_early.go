package rounds

// NeverEarly implements wheel.NeverEarly. Timers can fire early with Floor or ProcInc.
func (w *rounds) NeverEarly() bool { return !bool(w.round) && w.lag == 0 }
