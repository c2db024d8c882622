package wheel

// Recycle makes the memory of w available to other wheels, mainly to later calls to Clone. The caller must not use w
// again. A copy of a wheel with 100,000 timers needs megabytes of memory, and allocating that memory takes several
// times longer than reusing it. If w is nil or cannot be recycled, Recycle does nothing.
func Recycle(w Wheel) {
	if r, ok := w.(recycler); ok {
		r.Recycle()
	}
}

// recycler is implemented by wheels whose memory can be reused by other wheels.
type recycler interface {
	Recycle()
}
