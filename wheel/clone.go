package wheel

// Recycle releases the memory of w, which may be nil, so that later calls of Clone on any wheel can use it. The
// caller must not use w again. A copy of 100,000 timers needs megabytes, and allocating them takes several times
// longer than reusing memory.
func Recycle(w Wheel) {
	if r, ok := w.(recycler); ok {
		r.Recycle()
	}
}

// recycler is implemented by wheels that can release their memory for reuse by copies of other
// wheels.
type recycler interface {
	Recycle()
}
