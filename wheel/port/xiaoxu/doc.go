// Package xiaoxu reproduces the local wheel of github.com/xiaoxuxiansheng/timewheel
// (8f0e64b): a ring with rounds, which it calls cycles, driven by a time.Ticker. A key
// that is scheduled again replaces its timer.
//
//	pos   = (hand + delay div u) mod n
//	cycle = delay div (n·u)
//
// As published it computes with a delay below 0 as with any other: pos may be below 0,
// and the panic ends the wheel's goroutine. Also, pos is computed by the caller's goroutine
// and used by the wheel's. If a tick moves the hand on in between, a timer with a delay of
// less than a tick is behind the hand. That is a race, so it is off unless asked for: with
// the fault "outside" every timer scheduled in the instant of a tick loses it.
package xiaoxu
