package rounds

// NeverEarly reports whether no timer fires before its due tick. Timers can fire early if
// Config.Floor or Config.ProcInc is set.
func (w *rounds) NeverEarly() bool { return !bool(w.round) && w.lag == 0 }
