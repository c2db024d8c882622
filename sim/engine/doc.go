// Package engine runs the lanes of a program in lock-step on its workload and returns their events as
// [Record] values in the order of a trace.
//
// [NewEngine] creates an engine before the first event; [Engine.Next] and [Engine.Tick] run it tick by
// tick, [Engine.Snapshot] returns the state of every lane, and [Lane.Stats] a summary of its run.
// Engines are deterministic: the same program yields the same records on every machine. An
// [Oracle] computes from the workload alone which timers must fire when.
//
// Ticks are base ticks relative to the scenario's start, except the Due of an event, which is
// absolute. An engine is not safe for concurrent use.
package engine
