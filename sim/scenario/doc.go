// Package scenario reads, checks and writes scenarios: JSON files that list the lanes to run, each an
// algorithm with its parameters, and a workload of timer operations, written one by one or
// generated from distributions.
//
// [Decode] reads a file and [Scenario.AppendJSON] writes the canonical form, which is the header of
// a trace. Both keep a scenario as it is written. Filling in defaults, checking the scenario as a
// whole and generating its workload is planning, which package program does. Faults of the
// file are [InputError] values, one line for the user who wrote it.
//
// Ticks are base ticks relative to the scenario's start unless a name or comment says absolute.
package scenario
