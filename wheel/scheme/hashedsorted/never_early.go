package hashedsorted

// NeverEarly implements wheel.NeverEarly.
func (w *hashedSorted) NeverEarly() bool { return true }
