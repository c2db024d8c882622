// Package scenario reads, checks and writes scenarios: JSON files that list the lanes to run, each an
// algorithm with its parameters, and a workload of timer operations, which are written one by one or
// generated from distributions.
//
// [Decode] reads a file, and [Scenario.AppendJSON] writes the canonical form, which is part of the header
// of a trace. Package program does the planning of a scenario: it fills in defaults, checks the scenario
// as a whole and generates the workload. An error in a file is an [InputError], one line for its author.
//
// Ticks are base ticks relative to the scenario's start unless a name or comment says absolute.
package scenario
