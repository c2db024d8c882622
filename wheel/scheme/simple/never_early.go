package simple

// NeverEarly reports whether no timer fires before its due tick. Timers can fire early if
// Config.Floor is set.
func (w *simple) NeverEarly() bool { return !bool(w.round) }
