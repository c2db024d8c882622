package binheap

// NeverEarly returns true: no timer fires before its due tick; see [wheel.NeverEarly].
func (w *heap) NeverEarly() bool { return true }
