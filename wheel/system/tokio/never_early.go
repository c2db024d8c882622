package tokio

// NeverEarly implements wheel.NeverEarly.
func (w *tokio) NeverEarly() bool { return true }
