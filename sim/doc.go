// Package sim runs timer algorithms in lock-step on one workload and records their events.
// [program.Load] reads a scenario and plans its workload, which yields a [program.Program]. An [Engine] runs a
// program tick by tick and returns its events as [Record] values; [WriteTrace] writes them as
// lines, and [Verify] checks a trace against the run of its scenario.
//
// A [Run] is a program computed once and shared by all its users: it seeks to any position,
// extracts ranges of events and searches. A [Runner] is one session's cursor on a run, with
// play, pause and pace. [Compare] and a [Contest] compare results.
//
// Ticks are base ticks relative to the scenario's start, except [wheel.Event]'s Due, which is
// absolute. No result depends on a clock, and random numbers come only from given seeds, so the
// same scenario yields the same bytes on every machine. The Runner reads a clock to pace playback,
// and the [Store] uses package time to drop runs without viewers and to bound its waits for memory.
package sim
