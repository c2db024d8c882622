// Package tracefile writes, reads and verifies traces: one line of JSON for each event of a run, in the
// format of docs/TRACE.md.
//
// [Write] runs a program and writes its trace. [Verify] runs the scenario in the header of a trace and
// compares the run with the trace. It returns a [*Diff] at the first line that differs, or a [*LineError] at
// a malformed line. [Read] also returns the program of the trace. Memory does not grow with the length of a
// trace. A [Checker] checks only the format of each line; it is for readers of traces that may differ from
// the run.
//
// The functions may be called concurrently. A Checker or an encoder must not be used by several goroutines at
// once.
package tracefile
