// Package scenario reads, checks and writes scenarios. A scenario is a JSON file with lanes, each an
// algorithm with its parameters, and a workload of timer operations, which are listed individually or
// generated from distributions.
//
// [Decode] reads a file, and [Scenario.AppendJSON] writes the canonical form, which is part of the header of
// a trace. Package program plans a scenario: it fills in defaults, checks the scenario as a whole and
// generates the workload. An error in a file is an [InputError], which describes it in one line for the
// author of the file.
//
// Ticks are base ticks relative to the scenario's start unless a name or comment says absolute.
package scenario
