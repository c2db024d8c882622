package binheap

// NeverEarly implements wheel.NeverEarly.
func (w *heap) NeverEarly() bool { return true }
