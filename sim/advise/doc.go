// Package advise recommends a timer structure for a workload: it counts the work of several hundred configurations, orders
// them by a small model, and times the most promising ones and package time on the machine at hand.
//
// Start reading at [Advise]. A [Workload] comes from a planned scenario ([FromProgram]) or from a few answers
// ([Questions.Workload]). The structures are bare: no lock, no clock, no callbacks. The package does no I/O and starts
// no goroutine that outlives a call. docs/choosing.md explains the method to users.
package advise
