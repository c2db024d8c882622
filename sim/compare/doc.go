// Package compare compares lanes: the lanes of one run with each other, and the lanes of two runs or
// traces.
//
// [Lanes] runs a program and returns the result of each lane. [NewChart] also shows how the costs and
// the lateness of the lanes change over time, and [Summarize] returns sentences about the results.
// [NewComparison] compares the lanes of two [Side]s, each a program or a trace, and finds the first
// outcome that differs. [Recorded] iterates over the events of a trace that differs from the run of its
// scenario.
//
// Sentences are keys with arguments; static/texts contains their texts. Values of this package are not safe
// for concurrent use by multiple goroutines.
package compare
