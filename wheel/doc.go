// Package wheel defines what a timer algorithm is: the interface [Wheel], its arguments and
// results, the events that a wheel emits, and the state that is obtained by folding those
// events. It contains no algorithm.
//
// Every algorithm is passive. It has no clock, starts no goroutine, takes no lock and does
// no I/O: the caller passes the time to [Wheel.Advance], which returns the timers that
// fired. The same input gives the same output on every machine. A wheel is not safe for
// concurrent use.
//
// The algorithms are in packages of their own:
//
//   - scheme: published schemes. Packages simple, rounds and hierarchical are the wheels of
//     Varghese and Lauck (SOSP 1987). Packages unsorted, sorted, binheap and hashedsorted are the
//     other schemes of that paper, and calendar is the queue of Brown (1988).
//   - system: the wheels of kafka, netty, tokio, linux and callout (FreeBSD), which follow the
//     rules of those systems.
//   - port: small libraries, reproduced including their faults.
//
// Package algorithms creates any of them by name. Programs use package queue if they have a
// time of their own, and otherwise package timer.
//
// Start reading at [Wheel], then packages simple (one level), rounds (one level with a
// count of rounds) and hierarchical (several levels).
package wheel
