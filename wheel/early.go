package wheel

// NeverEarly is implemented by wheels that can guarantee that no timer fires before its due tick. A
// driver assumes that all other wheels can fire early.
type NeverEarly interface {
	Wheel
	// NeverEarly reports whether no timer fires before its due tick. The result depends on
	// the parameters of the wheel, and never changes.
	NeverEarly() bool
}
