// Package tracefile writes, reads and verifies traces: one line of JSON for each event of a run, in
// the format of docs/TRACE.md.
//
// [Write] runs a program and writes its trace. [Verify] runs the scenario in a trace's header again.
// It returns a [*Diff] at the first line that differs, or a [*LineError] at a line that does not
// belong in a trace. [Read] returns the program of a trace as well. Memory does not grow with the
// length of a trace. [Checker] checks the lines one after the other, for readers of traces that no
// run reproduces.
//
// The functions may be called concurrently. A Checker or an encoder belongs to one goroutine.
package tracefile
