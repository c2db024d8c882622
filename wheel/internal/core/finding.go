package core

import "github.com/wheelscope/wheelscope/wheel"

// Findings: a published rule can have faults. A wheel that follows such a rule emits a
// KindFinding event when a fault shows. Due is the correct value, X the actual one:
//
//	early, late    the tick a timer is due at, the tick it fired at
//	lost           1 run, 0 runs: it never fires
//	twice          the number of runs requested, the number of the surplus run
//	storm, stuck   the runs expected in a tick, the runs that happened
//	panic          the least value for which the rule works, the value found
//	revived        0 runs, 1 run: the timer was cancelled and fires nevertheless
//
// After stuck and panic the wheel is halted: its hand and its clock no longer move,
// Schedule returns ErrFault, and the remaining timers can be cancelled. This implementation
// itself neither panics nor loops.

// EmitFinding counts a finding about the timer with the given key, or about no timer if key is 0.
// It emits a finding event with expect, the expected value, and got, the actual one. A finding with
// CodeStuck or CodePanic halts the wheel.
func (b *Base) EmitFinding(code uint8, key uint32, expect, got int64) {
	b.Counts.Findings++
	b.Halted = b.Halted || code == wheel.CodeStuck || code == wheel.CodePanic
	if b.Log != nil {
		b.Emit(wheel.Event{Kind: wheel.KindFinding, Code: code, ID: key, Due: expect, X: got, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
	}
}

// EmitOffTime emits a finding if a timer fired at a tick outside (aim−u, aim+u], where aim is the tick
// at which it should have fired and u is the length of a wheel tick. key is the key of the timer, and
// at is the tick at which it fired. A smaller deviation is normal in a library that ignores how much of
// the current wheel tick has passed.
func (b *Base) EmitOffTime(key uint32, aim, at, u wheel.Tick) {
	switch off := at - aim; {
	case off <= -u:
		b.EmitFinding(wheel.CodeEarly, key, aim, at)
	case off > u:
		b.EmitFinding(wheel.CodeLate, key, aim, at)
	}
}
