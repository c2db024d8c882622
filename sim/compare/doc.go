// Package compare compares lanes: the lanes of one run with each other, and the lanes of two runs or
// traces.
//
// [Lanes] runs a program and returns the result of each lane. [NewChart] also returns the course of
// their costs and lateness, and [Summarize] returns sentences about the results. [NewComparison] compares
// lanes of two [Side]s, each a program or a trace, and finds the first outcome that differs.
// [Recorded] moves through a trace that its scenario does not reproduce.
//
// Sentences are keys with arguments; static/texts has their texts. Values of this package must not
// be used by several goroutines at once.
package compare
