package tokio

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *tokio) NeverEarly() bool { return true }
