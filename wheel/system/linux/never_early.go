package linux

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *classic) NeverEarly() bool { return true }
