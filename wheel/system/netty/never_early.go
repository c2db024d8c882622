package netty

// NeverEarly implements wheel.NeverEarly.
func (w *netty) NeverEarly() bool { return true }
