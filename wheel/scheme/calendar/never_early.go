package calendar

// NeverEarly implements wheel.NeverEarly.
func (w *calendar) NeverEarly() bool { return true }
