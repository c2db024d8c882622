// Package cursor moves a position along a run and reads the run there.
//
// A [Runner] is one session's cursor on a run: it steps, seeks, searches, and plays at a rate measured by
// its clock, and reports each move to a [Listener]. [Runner.Submit] passes requests to it. A search goes
// through the run chunk by chunk to the next position that satisfies a [Query]. [Activity] counts what
// each lane did up to a position, and [TimerHistoryOf] returns the history of one timer.
//
// Unless its comment says otherwise, a method of a Runner must be called on the goroutine of
// [Runner.Run]. The functions that take a run may be called by several goroutines at once.
package cursor
