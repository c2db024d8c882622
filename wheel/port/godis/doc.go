// Package godis reproduces lib/timewheel of github.com/HDT3213/godis (f13d9cb), a Redis
// server in Go, which uses it to expire keys. It is a ring with rounds (circle in the code),
// driven by a time.Ticker, and computes in whole seconds.
//
//	pos    = (hand + s div us) mod n    s, us: delay and tick in whole seconds
//	circle = s div us div n
//
// As published, a tick of less than one second makes it divide by zero, and it ignores a
// timer with a negative delay.
package godis
