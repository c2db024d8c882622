package wheel

// NeverEarly is implemented by wheels that may guarantee that no timer fires before its due
// tick. A driver assumes that any other wheel can fire early.
type NeverEarly interface {
	Wheel
	// NeverEarly reports whether no timer fires before its due tick. It depends on the
	// parameters that the wheel was made with, and never changes.
	NeverEarly() bool
}
