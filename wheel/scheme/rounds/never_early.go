package rounds

// NeverEarly reports whether no timer fires before its due tick. Timers can fire early with
// Config.Floor or Config.ProcInc.
func (w *rounds) NeverEarly() bool { return !bool(w.round) && w.lag == 0 }
