package core

import "github.com/wheelscope/wheelscope/wheel"

// Findings. A published rule can have faults. A wheel that follows such a rule emits a
// KindFinding where a fault shows. Due is what the rule should have given, X what it gave:
//
//	early, late    the tick a timer is due at, the tick it fired at
//	lost           1 run, 0 runs: it never fires
//	twice          the runs that were asked for, the run that came on top
//	storm, stuck   1 run of a timer in a tick, the runs it had
//	panic          the least value that the rule can work with, the value it met
//	revived        0 runs, 1 run: it was cancelled and fires all the same
//
// After stuck and panic the wheel is halted: its hand and its clock stay where they are,
// Schedule returns ErrFault, and the timers that are left can be cancelled. The code here
// neither panics nor loops.

// EmitFinding counts a fault about timer key (0: about none) and writes it to the log, if
// there is one.
func (b *Base) EmitFinding(code uint8, key uint32, expect, got int64) {
	b.Counts.Findings++
	b.Halted = b.Halted || code == wheel.CodeStuck || code == wheel.CodePanic
	if b.Log != nil {
		b.Emit(wheel.Event{Kind: wheel.KindFinding, Code: code, ID: key, Due: expect, X: got, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
	}
}

// EmitOffTime emits a finding if a timer that fired at tick `at` was outside of
// (aim−u, aim+u], the bounds of a rule that leaves out the phase of the tick.
func (b *Base) EmitOffTime(key uint32, aim, at, u wheel.Tick) {
	switch off := at - aim; {
	case off <= -u:
		b.EmitFinding(wheel.CodeEarly, key, aim, at)
	case off > u:
		b.EmitFinding(wheel.CodeLate, key, aim, at)
	}
}
