// Package program plans scenarios: it checks a scenario as a whole, fills in its defaults, generates its
// workload from seeded random numbers, and replaces the names of timers by numeric IDs. The result is a
// [Program], which an engine can run.
//
// Start with [Load], or with [Plan] for a scenario that has already been read or was edited. A plan depends
// on the scenario alone: it is the same on every machine. [Program.Estimate] returns bounds on the
// memory, events and work that a run needs, without running it. Plan rejects a program with a tick that
// could exceed the limits of this package.
//
// Ticks are base ticks relative to the scenario's start, except Start itself.
package program
