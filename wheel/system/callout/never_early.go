package callout

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *callout) NeverEarly() bool { return true }
