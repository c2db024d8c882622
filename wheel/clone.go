package wheel

// CloneOver returns a copy of w like Clone. If spent is a wheel of the same algorithm, which must
// not be used again, the copy takes over its memory. A copy of a hundred thousand timers needs
// megabytes, and memory that is new to the process is several times slower.
func CloneOver(w, spent Wheel) Wheel {
	if r, ok := w.(recycler); ok && spent != nil {
		return r.CloneOver(spent)
	}
	return w.Clone()
}

// recycler is a wheel whose copies can take over the memory of another wheel.
type recycler interface {
	CloneOver(spent Wheel) Wheel
}
