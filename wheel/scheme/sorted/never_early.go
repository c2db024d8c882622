package sorted

// NeverEarly implements wheel.NeverEarly.
func (w *sorted) NeverEarly() bool { return true }
