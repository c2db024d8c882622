package wheel

// CloneOver is like w.Clone, but the copy may reuse the memory of spent, which may be nil. The caller must not
// use spent again. A copy of 100,000 timers needs megabytes, and allocating them takes several times longer than
// reusing memory.
func CloneOver(w, spent Wheel) Wheel {
	if r, ok := spent.(recycler); ok {
		r.Recycle()
	}
	return w.Clone()
}

// recycler is implemented by wheels that can release their memory for reuse by copies of other
// wheels.
type recycler interface {
	Recycle()
}
