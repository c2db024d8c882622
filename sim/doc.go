// Package sim computes and stores runs of scenarios: timer algorithms that execute the same workload in lockstep.
//
// [program.Load] reads a scenario and plans its workload; the result is a [program.Program]. An [engine.Engine]
// runs a program tick by tick and returns its events as [engine.Record] values. [tracefile.Write] writes them as
// lines, and [tracefile.Verify] checks a trace against the run of its scenario.
//
// A [Run] is a program that is computed once and shared by all its users. It seeks to any [Position] and returns
// ranges of events, which it reads from chunks: the records of complete ticks. A [Store] keeps runs and caches chunks. A [cursor.Runner] is one session's
// cursor on a run. [compare.Lanes] and a [compare.Comparison] compare results.
//
// Ticks are base ticks relative to the scenario's start, except the absolute Due of a [wheel.Event]. A seq is the
// number of an event in its run, counting from 1. The same scenario always yields the same bytes: random numbers come
// from seeds, and clocks are read only to pace playback and to bound waits.
package sim
