// Package sim runs timer algorithms in lock-step on one workload and keeps what they
// tell. [Load] reads a scenario and plans its workload, which gives a [Program]. An
// [Engine] runs a program tick by tick and hands out [Record] values; [WriteTrace] writes
// them as lines, and [Verify] holds a trace against the run that its scenario gives.
//
// A [Run] is a program computed once for all who look at it: it seeks to any instant,
// cuts out stretches and searches. A [Runner] is one session's cursor on a run, with
// play, pause and pace. [Compare] and a [Contest] set results side by side.
//
// Ticks are base ticks relative to the scenario's start, except [wheel.Event]'s Due,
// which is absolute. Nothing here reads a clock but the Runner, and random numbers come
// from given seeds only: the same scenario gives the same bytes anywhere.
package sim
