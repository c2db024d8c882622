// Package compare compares lanes: those of one run and those of two runs or traces.
//
// [Lanes] runs a program and returns the result of each lane; [NewChart] returns the course of their
// costs and lateness as well, and [Verdict] the sentences about them. [NewContest] compares lanes of
// two [Side]s, each a program or a trace, and finds the first outcome that differs. [Recorded] moves
// through a trace that its scenario does not reproduce.
//
// Sentences are keys with arguments; static/texts has their texts. Values of this package must not
// be used by several goroutines at once.
package compare
