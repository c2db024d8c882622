package wheel

// NeverEarly is implemented by wheels that can say that they never fire a timer before its
// due tick. A driver takes a wheel that does not for one that can.
type NeverEarly interface {
	Wheel
	// NeverEarly reports whether no timer fires before its due tick. It depends on the
	// parameters that the wheel was made with, and never changes.
	NeverEarly() bool
}
