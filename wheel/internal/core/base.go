package core

import "github.com/wheelscope/wheelscope/wheel"

// PlaceResult is the result of placing a timer.
type PlaceResult uint8

const (
	Placed      PlaceResult = iota // the timer is in a slot
	DueNow                         // the clock has reached the timer's due tick, so the timer fires immediately
	BadRange                       // the timer is rejected: Schedule returns ErrRange
	BadCapacity                    // the timer is rejected: Schedule returns ErrCapacity
	BadPast                        // the timer is rejected: Schedule returns ErrPast
	BadFault                       // the timer is rejected: Schedule returns ErrFault
	BadAborted                     // the timer is rejected: Schedule returns ErrAborted
	BadKey                         // the timer is rejected: Schedule returns ErrKey
)

// Err returns the error that Schedule returns for result v. It is nil for Placed and DueNow.
func (v PlaceResult) Err() error {
	return [...]error{nil, nil, wheel.ErrRange, wheel.ErrCapacity, wheel.ErrPast, wheel.ErrFault, wheel.ErrAborted, wheel.ErrKey}[v]
}

func (v PlaceResult) code() uint8 {
	return [...]uint8{0, 0, wheel.CodeRange, wheel.CodeCapacity, wheel.CodePast, wheel.CodeFault, wheel.CodeNone, wheel.CodeNone}[v]
}

// Base holds the state that all wheels have in common, and implements the methods that all wheels
// share.
type Base struct {
	Arena      Arena
	Log        *wheel.Log
	Costs      wheel.Cost
	Counts     wheel.Counts
	Reached    wheel.Tick // tick that Advance has reached; the result of Now
	Unfinished bool       // whether the budget ran out before tick Reached was processed completely
	left       int64      // remaining budget of the current call to Advance: the number of entries and slots that it may still process
	Halted     bool       // whether the wheel has stopped because of a fault of its published rule; if so, its clock no longer moves
	Prefetched uint32     // sum of the results of Slot.Prefetch; it is never used, but keeps the compiler from removing the reads in Prefetch
}

// Placer is the placement rule of a wheel. PlaceNode puts node n, which has index i, into its place, emits the
// corresponding event and returns Placed. Any other result means that the timer is not in a place.
type Placer interface {
	PlaceNode(i uint32, n *Node) PlaceResult
}

// Now returns the tick that Advance has reached.
func (b *Base) Now() wheel.Tick { return b.Reached }

// Len returns the number of timers that have not ended. It also counts the cancelled timers that
// Mark has left in their slots, so wheels that use Mark must override Len.
func (b *Base) Len() int { return b.Arena.Live }

// Cost returns the work that the wheel has done since it was created.
func (b *Base) Cost() wheel.Cost { return b.Costs }

// Observe makes the wheel append its events to log. If log is nil, the wheel stops emitting events.
func (b *Base) Observe(log *wheel.Log) { b.Log = log }

// Armed reports whether timer t is scheduled and has not been cancelled.
func (b *Base) Armed(t wheel.Timer) bool {
	n := b.Arena.Lookup(t)
	return n != nil && n.State != StateMarked && !b.Arena.Aborted
}

// finish completes the scheduling of a timer for which Admit or PlaceNode returned v. It fires the
// runs that are already due, and places the next run. If there is no next run, or the next run is
// rejected, finish releases the node. If collect is set, it appends the runs that it fires to the
// slice fired. It returns this slice, the number of runs that it fired, and the result of the last
// placement.
func (b *Base) finish(p Placer, i uint32, n *Node, v PlaceResult, fired []wheel.Expiry, collect bool) ([]wheel.Expiry, int, PlaceResult) {
	runs := 0
	for v == DueNow {
		if !b.Arena.Spend(1) {
			v = BadAborted
			break
		}
		runs++
		if b.Log != nil {
			b.EmitExpire(n, wheel.NoLevel, 0)
		}
		if collect {
			fired = append(fired, wheel.Expiry{Due: n.Due, Key: n.Key, Run: b.Arena.Run(n)})
		}
		b.Counts.Expired++
		if !b.again(n) {
			break
		}
		v = arm(p, i, n)
	}
	if v >= BadAborted { // there is no timer
		return fired, runs, v
	}
	if v > DueNow {
		b.Counts.Rejected++
		if b.Log != nil {
			b.emitTimer(wheel.KindReject, n, v.code())
		}
	}
	if v != Placed {
		b.Arena.Release(i, n)
	}
	return fired, runs, v
}

// again prepares the next run of n's timer, which has fired, and emits its schedule event. It
// returns false if there is no further run.
func (b *Base) again(n *Node) bool {
	if n.Repeat == 0 {
		return false
	}
	r := &b.Arena.Repeats.Items[n.Repeat]
	if r.left == 0 {
		return false
	}
	if r.left > 0 {
		r.left--
	}
	r.run++
	n.Due += r.Every
	n.State = StateLive
	b.Counts.Scheduled++
	b.Costs.Touched++
	if b.Log != nil {
		b.emitTimer(wheel.KindSchedule, n, wheel.CodeNone)
	}
	return true
}

// arm puts n, the node with index i, into its place for the next run of its timer. It returns the
// result of p.PlaceNode, or BadRange if the run is due after TickMax.
func arm(p Placer, i uint32, n *Node) PlaceResult {
	if n.Due > wheel.TickMax {
		return BadRange
	}
	return p.PlaceNode(i, n)
}

// AtOnce returns the result of placing node n, whose timer is due no later than clock. The result
// is BadPast if more than RunsAtOnceMax runs of the timer are due by then, and DueNow otherwise.
func (b *Base) AtOnce(n *Node, clock wheel.Tick) PlaceResult {
	if n.Repeat == 0 {
		return DueNow
	}
	r := &b.Arena.Repeats.Items[n.Repeat]
	if few := r.left >= 0 && r.left < wheel.RunsAtOnceMax; few || (clock-n.Due)/r.Every < wheel.RunsAtOnceMax {
		return DueNow
	}
	return BadPast
}

// Expire fires the timer of node n, which has index i, from (level, slot). It counts and emits the expiry, appends it
// to fired, and places the next run if the timer repeats, or releases the node. It returns the extended slice.
func (b *Base) Expire(p Placer, i uint32, n *Node, level int8, slot uint32, fired []wheel.Expiry) []wheel.Expiry {
	b.Counts.Expired++
	if b.Log != nil {
		b.EmitExpire(n, level, slot)
	}
	fired = append(fired, wheel.Expiry{Due: n.Due, Key: n.Key, Run: b.Arena.Run(n)})
	return b.Repeat(p, i, n, fired)
}

// Repeat places the next run of n's timer, which has fired, or ends the timer if there is no next run. If runs are
// already due, Repeat fires them and appends them to fired. It returns the extended slice.
func (b *Base) Repeat(p Placer, i uint32, n *Node, fired []wheel.Expiry) []wheel.Expiry {
	if !b.again(n) {
		b.Arena.Release(i, n)
		return fired
	}
	if v := arm(p, i, n); v != Placed {
		fired, _, _ = b.finish(p, i, n, v, fired, true)
	}
	return fired
}

// ScheduleWith implements Schedule for all wheels. It uses p to place the timer.
func (b *Base) ScheduleWith(p Placer, s *wheel.Spec) (wheel.Timer, int, error) {
	i, n, v := b.Admit(s)
	if v == Placed {
		v = p.PlaceNode(i, n)
	}
	if v == Placed {
		return wheel.NewTimer(i, n.Gen), 0, nil
	}
	return b.Conclude(p, i, n, v)
}

// Admit creates the node of a new timer and emits its schedule event. If s.Key is PlaceKey, Admit
// sets it to the index of the node. It returns this index, the node, and a result. If the result is
// Placed, the timer is accepted, but is not in a slot yet: the caller must call PlaceNode. Any
// other result is the reason for the rejection. If the result is BadAborted or BadKey, the node is
// nil and no event was emitted.
func (b *Base) Admit(s *wheel.Spec) (uint32, *Node, PlaceResult) {
	switch {
	case s.Key == 0:
		return 0, nil, BadKey
	case !b.Arena.Spend(1):
		return 0, nil, BadAborted
	}
	i, n := b.Arena.alloc()
	if s.Key == wheel.PlaceKey {
		s.Key = i
	}
	n.Due, n.Key, n.Repeat = s.Due, s.Key, 0
	b.Counts.Scheduled++
	b.Costs.Touched++
	if s.Every > 0 {
		n.Repeat = b.Arena.Repeats.alloc(s.Every, s.Times)
	}
	if b.Log != nil {
		b.emitTimer(wheel.KindSchedule, n, wheel.CodeNone)
	}
	switch {
	case b.Halted:
		return i, n, BadFault
	case b.Arena.Live > wheel.LiveMax:
		return i, n, BadCapacity
	case s.Due > wheel.TickMax || s.Due < -wheel.TickMax || s.Every > wheel.TickMax:
		return i, n, BadRange
	}
	return i, n, Placed
}

// Conclude completes a call to Schedule for node n, which has index i. v is the result of Admit or
// of PlaceNode, and must not be Placed. Conclude returns the results of Schedule.
func (b *Base) Conclude(p Placer, i uint32, n *Node, v PlaceResult) (wheel.Timer, int, error) {
	_, runs, v := b.finish(p, i, n, v, nil, false)
	if v == Placed {
		return wheel.NewTimer(i, n.Gen), runs, nil
	}
	return wheel.Timer{}, runs, v.Err()
}

// Emit adds event e to the log, which must not be nil.
func (b *Base) Emit(e wheel.Event) {
	b.Arena.charge(1)
	e.Cost = b.Costs.Total()
	b.Log.Add(e)
}

// Skips returns false if the log keeps events: the caller must then emit the event, which is of kind k. If the log only
// counts events, Skips counts the event and returns true. The log must not be nil.
func (b *Base) Skips(k wheel.Kind) bool {
	if b.Log.Keep {
		return false
	}
	b.Arena.charge(1)
	b.Log.Count[k]++
	return true
}

func (b *Base) emitTimer(k wheel.Kind, n *Node, code uint8) {
	if b.Skips(k) {
		return
	}
	b.Emit(wheel.Event{Kind: k, Code: code, ID: n.Key, Due: n.Due, Run: b.Arena.Run(n), FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}

// EmitExpire emits an expire event for n's timer, which fired from (level, slot).
func (b *Base) EmitExpire(n *Node, level int8, slot uint32) {
	if b.Skips(wheel.KindExpire) {
		return
	}
	b.Emit(wheel.Event{Kind: wheel.KindExpire, ID: n.Key, Due: n.Due, Run: b.Arena.Run(n), FromLevel: level, FromSlot: slot, ToLevel: wheel.NoLevel})
}

// CountCancel counts the cancellation of n's timer, which is in the given slot of level 0, and
// emits a cancel event.
func (b *Base) CountCancel(n *Node, slot uint32) {
	b.Costs.Touched++
	b.Counts.Cancelled++
	if b.Log != nil {
		b.EmitCancel(n, 0, slot)
	}
}

// Mark marks timer t as cancelled and emits a mark event, for a wheel that removes marked timers
// later. It returns false if t is not scheduled or already marked.
func (b *Base) Mark(t wheel.Timer) bool {
	n := b.Arena.Find(t)
	if n == nil || n.State == StateMarked {
		return false
	}
	b.Costs.Touched++
	b.Counts.Cancelled++
	n.State = StateMarked
	if b.Log != nil {
		b.Emit(wheel.Event{Kind: wheel.KindMark, ID: n.Key, Due: n.Due, FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
	}
	return true
}

// AppendLayout appends the levels of l to s.Levels, and sets s.Counts and s.Live to the values for b.
func (b *Base) AppendLayout(s *wheel.State, l wheel.Layout) {
	s.Levels = append(s.Levels, l.Levels...)
	s.Counts, s.Live = b.Counts, b.Arena.Live
}

// EmitCancel emits a cancel event for n's timer, which was at (level, slot).
func (b *Base) EmitCancel(n *Node, level int8, slot uint32) {
	if b.Skips(wheel.KindCancel) {
		return
	}
	b.Emit(wheel.Event{Kind: wheel.KindCancel, ID: n.Key, Due: n.Due, FromLevel: level, FromSlot: slot, ToLevel: wheel.NoLevel})
}

// EmitHand emits a hand event, which records that the hand has reached (level, slot). count is the
// number of timers there that lose a round.
func (b *Base) EmitHand(level int8, slot, count uint32) {
	if b.Skips(wheel.KindHand) {
		return
	}
	b.Emit(wheel.Event{Kind: wheel.KindHand, FromLevel: level, FromSlot: slot, Before: count, ToLevel: wheel.NoLevel})
}

// EmitPlace emits an event of kind k for n's timer, which was put at the tail of (level, slot). k is KindPlace
// or KindCascade. fromLevel and fromSlot are the place that the timer has left; fromLevel is NoLevel if it had
// none. rounds is the number of rounds that the timer has to wait, or NoRounds.
func (b *Base) EmitPlace(k wheel.Kind, n *Node, fromLevel int8, fromSlot uint32, level int8, slot uint32, rounds int64) {
	if b.Skips(k) {
		return
	}
	b.Emit(wheel.Event{Kind: k, ID: n.Key, Due: n.Due, Run: b.Arena.Run(n), X: rounds,
		FromLevel: fromLevel, FromSlot: fromSlot, ToLevel: level, ToSlot: slot})
}

// EmitInsert emits a place event for n's timer, which was inserted into a sorted slot or list of
// level 0 before the node with index next, or at the tail if next is 0. fromLevel and fromSlot are
// the place that the timer has left; fromLevel is NoLevel if it had none.
func (b *Base) EmitInsert(n *Node, fromLevel int8, fromSlot, slot, next uint32) {
	if b.Skips(wheel.KindPlace) {
		return
	}
	e := wheel.Event{Kind: wheel.KindPlace, ID: n.Key, Due: n.Due, Run: b.Arena.Run(n), X: wheel.NoRounds,
		FromLevel: fromLevel, FromSlot: fromSlot, ToSlot: slot}
	if next != 0 {
		e.Before = b.Arena.At(next).Key
	}
	b.Emit(e)
}

// CeilDiv returns x/u rounded up, for u > 0.
func CeilDiv(x, u int64) int64 {
	if u == 1 {
		return x
	}
	q := x / u
	if x > q*u {
		q++
	}
	return q
}

// Due returns the due tick of timer t. It returns false if t is not scheduled.
func (b *Base) Due(t wheel.Timer) (wheel.Tick, bool) {
	n := b.Arena.Lookup(t)
	if n == nil || n.State == StateMarked || b.Arena.Aborted {
		return 0, false
	}
	return n.Due, true
}

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
