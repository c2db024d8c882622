// Package sim runs timer algorithms in lock-step on one workload and records their events.
// [program.Load] reads a scenario and plans its workload, which yields a [program.Program]. An [engine.Engine] runs a
// program tick by tick and returns its events as [engine.Record] values; [tracefile.Write] writes them as
// lines, and [tracefile.Verify] checks a trace against the run of its scenario.
//
// A [Run] is a program computed once and shared by all its users: it seeks to any position,
// extracts ranges of events and keeps their chunks in the cache of its [Store]. A [cursor.Runner] is one
// session's cursor on a run, with play, pause, pace and search. [compare.Lanes] and a [compare.Comparison] compare results.
//
// Ticks are base ticks relative to the scenario's start, except [wheel.Event]'s Due, which is
// absolute. No result depends on a clock and random numbers come from seeds, so a scenario yields
// the same bytes everywhere. A [cursor.Runner] reads a clock to pace playback, a [Store] to bound waits.
package sim
