package wheel

// NeverEarly is implemented by wheels that can guarantee that no timer fires before its due tick.
// Drivers assume that any other wheel may fire timers early.
type NeverEarly interface {
	Wheel
	// NeverEarly reports whether no timer fires before its due tick. The result depends only
	// on the parameters of the wheel.
	NeverEarly() bool
}
