package unsorted

// NeverEarly implements wheel.NeverEarly.
func (w *list) NeverEarly() bool { return true }
