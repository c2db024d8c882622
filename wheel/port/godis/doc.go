// Package godis reproduces lib/timewheel of github.com/HDT3213/godis (f13d9cb), with which
// a Redis server written in Go expires its keys: a ring with rounds, which it calls circle,
// driven by a time.Ticker. It computes in whole seconds.
//
//	pos    = (hand + s div us) mod n    s, us: delay and tick in whole seconds
//	circle = s div us div n
//
// As published, a tick below one second divides by zero and a delay below 0 is dropped
// silently.
package godis
