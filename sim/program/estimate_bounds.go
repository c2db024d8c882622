package program

import "math/bits"

// live returns an upper bound on the number of timers that the lane stores at once, including cancelled
// timers that have not been removed yet.
func (m *laneModel) live(w *workloadBounds) int64 { return min(w.live(m.rule, m.late), m.liveMax) }

// emptyBytes returns the memory of the lane, in bytes, before the first operation.
func (m *laneModel) emptyBytes(w *workloadBounds) int64 {
	return handleBytes*(w.arms+1) + m.fixed + m.first*m.slotBytes
}

// engineBytes returns the memory of the lane, in bytes, when it stores the highest number of timers: the sum of
//
//	handles        8 B per timer of the workload
//	nodes         32 B per timer stored, rounded up as the function pages does
//	repeats       32 B per repeating timer stored
//	slots         m.slotBytes per slot, plus the memory that m.kept returns
//	slot entries  m.timer per timer stored
//	expiries      32 B for each of the m.due(w, live) runs that can be due in one tick
//	the rest      m.fixed
func (m *laneModel) engineBytes(w *workloadBounds) int64 {
	live := m.live(w)
	n := handleBytes*(w.arms+1) + m.fixed
	n += nodeBytes*pages(live+2) + repeatBytes*min(live+1, w.repeats)
	n = satAdd(n, satMul(m.slots, m.slotBytes))
	n = satAdd(n, m.kept(w, live))
	n = satAdd(n, satMul(live, m.timer))
	return satAdd(n, expiryBytes*m.due(w, live))
}

// pages returns the number of nodes that a wheel has allocated when it uses the given number of nodes: a power
// of two up to pageNodes, and a multiple of pageNodes beyond that. A wheel uses one node for each timer.
func pages(nodes int64) int64 {
	if nodes <= pageNodes {
		return 1 << bits.Len64(uint64(max(nodes, 8)-1))
	}
	return (nodes + pageNodes - 1) / pageNodes * pageNodes
}

// kept returns an upper bound on the memory, in bytes, of the slices and maps that slots keep for reuse after
// their timers have left. live is the maximum number of timers that the lane stores.
func (m *laneModel) kept(w *workloadBounds, live int64) int64 {
	if m.keepBytes == 0 {
		return 0
	}
	placed := satMul(w.runs, 1+int64(len(m.sizes)))
	n := min(satMul(m.slots, min(m.keepBytes, 32+24*live)), satMul(placed, 32))
	return satAdd(n, min(satMul(m.slots, goneKeepBytes), satMul(w.cancels, 8+live/8)))
}

// due returns an upper bound on the number of timer runs that are due in one tick of the lane. live is the
// maximum number of timers that the lane stores.
func (m *laneModel) due(w *workloadBounds, live int64) int64 {
	due := live
	if m.rule == endFired || m.rule == endMarked {
		due = min(due, w.dueAtOnce(m.rule, m.late))
	}
	return satAdd(due, w.repeatsIn(m))
}

// heapMoves returns an upper bound on the number of moves in the heap when a timer is added to it or removed
// from it, or 0 if the lane has no heap. live is the maximum number of timers that the lane stores.
func (m *laneModel) heapMoves(live int64) int64 {
	if m.arity == 0 {
		return 0
	}
	depth := int64(bits.Len64(uint64(live)))
	if m.arity == 4 {
		depth = (depth + 1) / 2
	}
	return depth + 1
}

// cascades returns an upper bound on the number of times that a timer cascades before it is due. ticks is the number
// of ticks from the scheduling of the timer to its due tick.
func (m *laneModel) cascades(ticks int64) int64 {
	top := int64(len(m.sizes)) - 1
	if top < 1 {
		return 0
	}
	l := int64(0)
	for l < top && ticks/m.reaches[l]+1 >= m.sizes[l] {
		l++
	}
	return min(l+m.extra, top)
}

// events returns an upper bound on the number of events of the lane in the whole run.
func (m *laneModel) events(w *workloadBounds) int64 {
	return m.eventsBy(w, m.heapMoves(m.live(w)))
}

// eventsBy is like events, but takes moves, the number of moves in the heap when a timer is added or removed, as
// an argument instead of computing it.
func (m *laneModel) eventsBy(w *workloadBounds, moves int64) int64 {
	n := satMul(w.runs, m.run+2*moves)
	n = satAdd(n, satMul(w.cancels, m.cancel+moves))
	n = satAdd(n, satMul(w.repeats, m.once))
	for b, runs := range w.byLength {
		if runs > 0 {
			n = satAdd(n, satMul(satMul(runs, m.cascades(satAdd(longest(b), w.stall))), m.cascadeEvents()))
		}
	}
	if m.period > 0 && !m.silent {
		visits := satAdd(w.wait/m.period, w.runs)
		if m.moved || m.fires {
			visits = m.visitEvents(w.wait/m.period, w.wait/m.period)
		}
		n = satAdd(n, visits)
	}
	if m.resizes {
		n = satAdd(n, satMul(w.runs, 4))
	}
	return satAdd(n, int64(len(m.sizes)))
}

// passed returns an upper bound on the number of times that the lane examines a timer in the whole run, as
// described at Estimate.Passed. A list is searched for each run of a timer and for each operation that can end a
// timer. If the wheel visits a slot again every m.period ticks, a timer is examined at each visit until it is due.
func (m *laneModel) passed(w *workloadBounds) (n int64) {
	if m.lists > 0 {
		n = satMul(satAdd(w.runs, w.cancels), m.live(w)/m.lists+1)
	}
	if m.period > 0 {
		n = satAdd(n, satAdd(w.wait/m.period, w.runs))
	}
	return n
}

// longest returns the largest number with the given bit length, at most 2^62 − 1.
func longest(length int) int64 { return 1<<min(length, 62) - 1 }

// cascadeEvents returns the number of events of one cascade: 2, for the cascade event itself and a hand event,
// or 3 in a lane with a delay queue, which has an enqueue and a dequeue event instead of the hand event.
func (m *laneModel) cascadeEvents() int64 {
	if m.run == 5 {
		return 3
	}
	return 2
}

// tickBounds holds upper bounds on what a lane does in one tick.
type tickBounds struct {
	events int64
	visits int64 // number of visits to occupied slots in the first tick after a stall; a slot counts once per revolution
	work   int64 // number of slots visited and timers touched
	stall  int   // index in Program.Stalls of the stall that causes the most visits; -1 if no stall causes any
}

// tick returns upper bounds for a tick in which the lane does as much as possible: operations, due runs,
// cascades and, after a stall, the work of all stalled ticks.
func (m *laneModel) tick(w *workloadBounds) tickBounds {
	live := m.live(w)
	due := m.due(w, live)
	events := m.tickEvents(w, live, due)
	b := tickBounds{events: events, work: satAdd(events, live), stall: -1}
	if m.list {
		b.work = satAdd(b.work, satMul(due, live))
	}
	if m.period == 0 || m.loses {
		return b
	}
	for k, s := range w.p.Stalls {
		if s[1] >= w.p.Until || satMul(3*w.arms, (s[1]-s[0])/m.period+2) <= b.visits {
			continue // not the longest
		}
		if touched, visits := m.catchUp(w, s); visits > b.visits {
			b.visits, b.stall = visits, k
			b.work = max(b.work, satAdd(events, satAdd(touched, visits)))
			b.events = max(b.events, satAdd(events, m.visitEvents(touched, visits)))
		}
	}
	return b
}

// tickEvents returns an upper bound on the number of events in one tick, not including those counted by
// visitEvents. live is the maximum number of timers that the lane stores, and due the maximum number of runs due in
// the tick. For a timer that does not repeat, tickEvents counts the events of its scheduling or of its expiry, but not
// both: a timer that fires in the tick in which it is scheduled is not placed in the wheel, so it has no more events
// than a timer that is only scheduled in that tick.
func (m *laneModel) tickEvents(w *workloadBounds, live, due int64) int64 {
	moves := m.heapMoves(live)
	repeated := min(due, w.repeatsIn(m))
	once := min(due-repeated, w.arms)
	arm, fire := m.run-1+moves, m.run-1+moves
	both := satMul(w.tickArms, arm)
	both = satAdd(both, satMul(min(once, w.arms-min(w.tickArms, w.arms)), fire))
	n := satAdd(both, satMul(repeated, m.run+2*moves))
	n = satAdd(n, satMul(w.tickCancels, m.cancel+moves))
	n = satAdd(n, satMul(live, m.cascades(w.horizon)))
	if m.resizes {
		n = satAdd(n, 4*live)
	}
	if m.once > 0 && w.repeats > 0 {
		n = satAdd(n, m.once)
	}
	return satAdd(n, m.slots)
}

// visitEvents returns the maximum number of events of the given number of visits to slots. touched is the total
// number of timers in the visited slots.
func (m *laneModel) visitEvents(touched, visits int64) int64 {
	switch {
	case m.fires:
		return satMul(m.run, touched)
	case m.moved:
		return satAdd(touched, visits)
	case m.silent:
		return 0
	}
	return visits
}

// catchUp returns upper bounds on the work in the first tick after a stall: the number of timers touched and the
// number of slots visited. s holds the first and last ticks of the stall. m.period, the number of ticks after which
// the lane visits a slot again, must not be 0.
func (m *laneModel) catchUp(w *workloadBounds, s [2]int64) (touched, visits int64) {
	rule := m.rule
	if m.periodRule != 0 {
		rule = m.periodRule
	}
	touched = w.revolutions(rule, s, m.period)
	return touched, min(touched, satMul(m.slots, (s[1]-s[0])/m.period+2))
}
