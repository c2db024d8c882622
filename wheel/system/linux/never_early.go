package linux

// NeverEarly implements wheel.NeverEarly.
func (w *classic) NeverEarly() bool { return true }
