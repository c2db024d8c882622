package callout

// NeverEarly implements wheel.NeverEarly.
func (w *callout) NeverEarly() bool { return true }
