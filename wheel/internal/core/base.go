package core

import "github.com/wheelscope/wheelscope/wheel"

// PlaceResult is what became of an arming.
type PlaceResult uint8

const (
	Placed      PlaceResult = iota
	DueNow                  // the clock has reached it: fires at once
	BadRange                // ErrRange
	BadCapacity             // ErrCapacity
	BadPast                 // ErrPast
	BadFault                // ErrFault
	BadAborted              // ErrAborted
)

func (v PlaceResult) Err() error {
	return [...]error{nil, nil, wheel.ErrRange, wheel.ErrCapacity, wheel.ErrPast, wheel.ErrFault, wheel.ErrAborted}[v]
}

func (v PlaceResult) code() uint8 {
	return [...]uint8{0, 0, wheel.CodeRange, wheel.CodeCapacity, wheel.CodePast, wheel.CodeFault, wheel.CodeNone}[v]
}

// Base is what every wheel has: the arena, the log, the counts.
type Base struct {
	Arena      Arena
	Log        *wheel.Log
	Costs      wheel.Cost
	Counts     wheel.Counts
	Reached    wheel.Tick // the last `to` of Advance; where it stopped, when dead
	Halted     bool       // a finding says that the published rule can't go on: it stands still
	Prefetched uint32     // what slot.warm gave; nothing reads it
}

// Placer puts a live node where its rule says, and tells so.
type Placer interface {
	PlaceNode(i uint32, n *Node) PlaceResult
}

func (b *Base) Now() wheel.Tick        { return b.Reached }
func (b *Base) Len() int               { return b.Arena.Live }
func (b *Base) Cost() wheel.Cost       { return b.Costs }
func (b *Base) Observe(log *wheel.Log) { b.Log = log }

// Armed says whether a timer waits for a run.
func (b *Base) Armed(t wheel.Timer) bool {
	n := b.Arena.lookup(t)
	return n != nil && n.State != StateMarked && !b.Arena.Aborted
}

// finish ends an arming whose first verdict was v: it runs what is due already,
// arms again what repeats, and releases what ends. Runs carried out are
// appended to fired where collect is set; their number is returned.
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
	if v == BadAborted {
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

// again moves a timer that has fired to its next run and tells the schedule;
// false when there is none.
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
	n.State = stateLive
	b.Counts.Scheduled++
	b.Costs.Touched++
	if b.Log != nil {
		b.emitTimer(wheel.KindSchedule, n, wheel.CodeNone)
	}
	return true
}

// arm places a timer that is to run again, unless its due tick has left the 62
// bits that ticks fit.
func arm(p Placer, i uint32, n *Node) PlaceResult {
	if n.Due > wheel.TickMax {
		return BadRange
	}
	return p.PlaceNode(i, n)
}

// TooManyRuns says whether a timer due by `clock` has more runs due by then than are
// carried out at once.
func (b *Base) TooManyRuns(n *Node, clock wheel.Tick) bool {
	if n.Repeat == 0 {
		return false
	}
	r := &b.Arena.Repeats.Items[n.Repeat]
	if r.left >= 0 && r.left < wheel.RunsAtOnceMax {
		return false
	}
	return (clock-n.Due)/r.Every >= wheel.RunsAtOnceMax
}

// Expire counts and reports the timer at i, which stood at (level, slot) and has
// been taken out of it, and arms it again if it repeats.
func (b *Base) Expire(p Placer, i uint32, n *Node, level int8, slot uint32, fired []wheel.Expiry) []wheel.Expiry {
	b.Counts.Expired++
	if b.Log != nil {
		b.EmitExpire(n, level, slot)
	}
	fired = append(fired, wheel.Expiry{Due: n.Due, Key: n.Key, Run: b.Arena.Run(n)})
	return b.Repeat(p, i, n, fired)
}

// Repeat arms a timer that has just fired again, or ends it.
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

// ScheduleWith is Schedule of every wheel.
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

// Admit makes the node of a new timer, tells its schedule, and says whether it
// may be placed.
func (b *Base) Admit(s *wheel.Spec) (uint32, *Node, PlaceResult) {
	if !b.Arena.Spend(1) {
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

// Conclude is the rest of a Schedule whose timer was not simply placed.
func (b *Base) Conclude(p Placer, i uint32, n *Node, v PlaceResult) (wheel.Timer, int, error) {
	_, runs, v := b.finish(p, i, n, v, nil, false)
	if v == Placed {
		return wheel.NewTimer(i, n.Gen), runs, nil
	}
	return wheel.Timer{}, runs, v.Err()
}

func (b *Base) Emit(e wheel.Event) {
	b.Arena.charge(1)
	e.Cost = b.Costs.Total()
	b.Log.Add(e)
}

func (b *Base) emitTimer(k wheel.Kind, n *Node, code uint8) {
	b.Emit(wheel.Event{Kind: k, Code: code, ID: n.Key, Due: n.Due, Run: b.Arena.Run(n), FromLevel: wheel.NoLevel, ToLevel: wheel.NoLevel})
}

func (b *Base) EmitExpire(n *Node, level int8, slot uint32) {
	b.Emit(wheel.Event{Kind: wheel.KindExpire, ID: n.Key, Due: n.Due, Run: b.Arena.Run(n), FromLevel: level, FromSlot: slot, ToLevel: wheel.NoLevel})
}

func (b *Base) EmitCancel(n *Node, level int8, slot uint32) {
	b.Emit(wheel.Event{Kind: wheel.KindCancel, ID: n.Key, Due: n.Due, FromLevel: level, FromSlot: slot, ToLevel: wheel.NoLevel})
}

func (b *Base) EmitHand(level int8, slot, count uint32) {
	b.Emit(wheel.Event{Kind: wheel.KindHand, FromLevel: level, FromSlot: slot, Before: count, ToLevel: wheel.NoLevel})
}

// EmitPlace tells a place (from NoLevel) or a cascade at the tail of a slot.
func (b *Base) EmitPlace(k wheel.Kind, n *Node, fromLevel int8, fromSlot uint32, level int8, slot uint32, rounds int64) {
	b.Emit(wheel.Event{Kind: k, ID: n.Key, Due: n.Due, Run: b.Arena.Run(n), X: rounds,
		FromLevel: fromLevel, FromSlot: fromSlot, ToLevel: level, ToSlot: slot})
}

// EmitInsert tells that a timer was put in front of node next, 0: at the tail, of a
// slot (or list) at level 0 that is kept in order.
func (b *Base) EmitInsert(n *Node, fromLevel int8, fromSlot, slot, next uint32) {
	e := wheel.Event{Kind: wheel.KindPlace, ID: n.Key, Due: n.Due, Run: b.Arena.Run(n), X: wheel.NoRounds,
		FromLevel: fromLevel, FromSlot: fromSlot, ToSlot: slot}
	if next != 0 {
		e.Before = b.Arena.At(next).Key
	}
	b.Emit(e)
}

// CeilDiv is ceil(x/u) for u > 0.
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
