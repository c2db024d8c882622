// Package cursor moves the cursor of a session, which is a position in a run, and reads the run there.
//
// A [Runner] is one session's cursor on a run. It steps, seeks, searches, and plays at a rate measured by
// its clock, and it reports each move to a [Listener]. [Runner.Submit] passes requests to it. A search
// reads the run chunk by chunk until it finds a position that satisfies a [Query]. [Activity] counts what
// each lane did up to a position, and [TimerHistoryOf] returns the history of one timer.
//
// Unless its comment says otherwise, a method of a Runner must be called on the goroutine of [Runner.Run].
// The functions that take a run are safe for concurrent use by multiple goroutines.
package cursor
