package wheel

// CloneOver is like w.Clone, but the copy reuses the memory of spent if spent is a wheel of the
// same algorithm. The caller must not use spent again. A copy of 100,000 timers needs megabytes,
// and allocating them takes several times longer than reusing memory.
func CloneOver(w, spent Wheel) Wheel {
	if r, ok := w.(recycler); ok && spent != nil {
		return r.CloneOver(spent)
	}
	return w.Clone()
}

// recycler is implemented by wheels whose copies can reuse the memory of another wheel.
type recycler interface {
	CloneOver(spent Wheel) Wheel
}
