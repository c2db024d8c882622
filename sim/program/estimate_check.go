package program

import "github.com/wheelscope/wheelscope/sim/scenario"

// checkTicks returns an error if a lane could exceed TickEventsMax, TickVisitsMax or TickWorkMax in one
// tick. Without these limits, a lane could take practically forever to catch up after a long stall.
func (p *Program) checkTicks() *scenario.InputError {
	w := p.measure()
	for i := range p.Scenario.Lanes {
		lane := &p.Scenario.Lanes[i]
		m := newLaneModel(lane, w)
		if m.fitsAnyhow(w) {
			continue // the usual case, without sorting
		}
		b := m.tick(w)
		what, need, most := "events", b.events, int64(TickEventsMax)
		if b.visits > TickVisitsMax {
			what, need, most = "visits of slots", b.visits, TickVisitsMax
		} else if need <= most {
			what, need, most = "slots and timers to visit", b.work, TickWorkMax
		}
		if need <= most {
			continue
		}
		if b.stall < 0 {
			return scenario.Fault("workload", "it could take %d %s in one tick of the lane %s; expected at most %d", need, what, scenario.Quote(lane.ID), most)
		}
		op := p.longestStall(b.stall)
		return scenario.Fault(scenario.OpPath(op)+".for", "after %d ticks without an advance the lane %s could have %d %s in one tick; expected at most %d",
			p.Scenario.Ops[op].Amount, scenario.Quote(lane.ID), need, what, most)
	}
	return nil
}

// fitsAnyhow reports whether the lane would stay within the limits for one tick even if it did all the work of the
// run in a single tick. It is cheaper than m.tick, which checkTicks calls only if fitsAnyhow returns false.
func (m *laneModel) fitsAnyhow(w *workloadBounds) bool {
	moves := m.heapMoves(w.arms)
	events := satAdd(m.eventsBy(w, moves), satMul(w.tickArms, m.run+moves))
	work, visits := events, int64(0)
	if m.period > 0 && !m.loses && w.stall > 0 {
		visits = satAdd(satMul(3, w.runs), satMul(w.arms, w.stall/m.period))
		work = satAdd(work, satMul(2, visits))
	}
	if m.list {
		work = satAdd(work, satMul(satMul(2, w.runs), min(w.arms, m.liveMax)))
	}
	return events <= TickEventsMax && visits <= TickVisitsMax && work <= TickWorkMax
}

// longestStall returns the index in Scenario.Ops of the longest of the stalls that are merged in p.Stalls[k].
func (p *Program) longestStall(k int) int {
	best := -1
	for i := range p.Scenario.Ops {
		op := &p.Scenario.Ops[i]
		if op.Kind != scenario.OpStall || op.At+1 < p.Stalls[k][0] || op.At+1 > p.Stalls[k][1] {
			continue
		}
		if best < 0 || op.Amount > p.Scenario.Ops[best].Amount {
			best = i
		}
	}
	return best
}
