package wheel

// CloneOver is like w.Clone, but the copy may reuse the memory of spent. The caller must not use spent again. A copy of 100,000 timers needs megabytes,
// and allocating them takes several times longer than reusing memory.
func CloneOver(w, spent Wheel) Wheel {
	if r, ok := spent.(recycler); ok {
		r.Recycle()
	}
	return w.Clone()
}

// Pack reduces the memory of w and the work of the garbage collector. From then on the caller may only call
// Clone and Bytes of w.
func Pack(w Wheel) {
	if p, ok := w.(packer); ok {
		p.Pack()
	}
}

// packer is implemented by wheels that take less memory when they are only copied.
type packer interface {
	Pack()
}

// recycler is implemented by wheels whose memory copies of other wheels can reuse.
type recycler interface {
	Recycle()
}
