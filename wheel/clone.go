package wheel

// CloneOver copies w as its Clone does, into the memory of spent where that is of
// use: a wheel of the same algorithm that is used no more, or nil. A copy of a
// hundred thousand timers is megabytes, and memory the process has not had before
// is several times slower than memory it has.
func CloneOver(w, spent Wheel) Wheel {
	if r, ok := w.(recycler); ok && spent != nil {
		return r.CloneOver(spent)
	}
	return w.Clone()
}

// recycler is a wheel whose copies can take over the memory of a spent one.
type recycler interface {
	CloneOver(spent Wheel) Wheel
}
