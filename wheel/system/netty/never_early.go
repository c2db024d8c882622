package netty

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *netty) NeverEarly() bool { return true }
