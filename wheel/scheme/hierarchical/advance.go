package hierarchical

import (
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Next returns the next tick at which a hand reaches an occupied slot, or Now if the current tick
// is not completely processed. It returns false if all slots are empty.
func (w *hierarchical) Next() (wheel.Tick, bool) {
	if w.Unfinished {
		return w.Reached, true
	}
	k := w.NextWork()
	return k * w.u, k > 0
}

// NextWork returns the next wheel tick at which a hand reaches an occupied slot, or 0 if there is
// none. A wheel tick is w.u base ticks long.
func (w *hierarchical) NextWork() int64 {
	best := int64(0)
	for i := range w.Levels {
		l := &w.Levels[i]
		d := l.Occupied.Ahead(l.SlotOf(l.Hand), l.N)
		if d == 0 {
			continue
		}
		if k := (l.Hand + d) * l.Width; best == 0 || k < best {
			best = k
		}
	}
	return best
}

// Advance moves the hands to the target tick and appends an Expiry to fired for each run that fires; see
// [wheel.Wheel].
func (w *hierarchical) Advance(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	if !w.config.Program || len(w.Visits) == 0 || w.Stopped() {
		return w.Drive(w, w.u, to, fired, budget)
	}
	return w.advancePassed(to, fired, budget)
}

// advancePassed does the work of Advance while visits of earlier ticks are unfinished: it continues these with half of
// the budget, and processes later ticks with the rest.
func (w *hierarchical) advancePassed(to wheel.Tick, fired []wheel.Expiry, budget int) ([]wheel.Expiry, wheel.Status) {
	half := (budget + 1) / 2
	w.SetBudget(half)
	w.Unfinished = false
	for len(w.Visits) > 0 && !w.Unfinished {
		fired = w.visit(w.Visits[0], fired)
	}
	w.Passed, w.Visits, w.Unfinished = w.Visits, w.Passed[:0], false
	fired, status := w.Drive(w, w.u, to, fired, max(min(1, budget), budget-half))
	w.Visits, w.Passed = append(w.Passed, w.Visits...), w.Visits[:0]
	if len(w.Visits) > 0 && status == wheel.Done {
		w.Unfinished, status = true, wheel.Budget
	}
	return fired, status
}

// AdvanceClock moves every hand to wheel tick k, and counts each slot that a hand passes as
// examined.
func (w *hierarchical) AdvanceClock(k int64) {
	w.clock = k
	for i := range w.Levels {
		l := &w.Levels[i]
		hand := l.Index(k)
		w.Costs.Slots += hand - l.Hand
		l.Hand = hand
	}
}

// ProcessTick visits the slots that the hands have reached, the coarsest level first (the finest with
// Config.Program), and appends the expired timers to fired. If the previous call stopped within the tick, ProcessTick continues where it
// stopped. Before it processes the first of the slots, it records how many entries each has, so that
// timers added to the slots during the tick wait for the next visit.
func (w *hierarchical) ProcessTick(fired []wheel.Expiry) []wheel.Expiry {
	if len(w.Visits) == 0 {
		for i := len(w.Levels) - 1; i >= 0; i-- {
			if l := &w.Levels[i]; l.Hand*l.Width == w.clock {
				w.TakeVisit(i)
			}
		}
		if w.config.Program {
			slices.Reverse(w.Visits)
		}
	}
	for len(w.Visits) > 0 && !w.Unfinished && !w.Arena.Aborted {
		fired = w.visit(w.Visits[0], fired)
	}
	return fired
}

// visit processes as many timers of visit v as the budget allows: each fires or moves to a finer
// level. It appends the runs that fire to fired and returns the extended slice.
func (w *hierarchical) visit(v core.Visit, fired []wheel.Expiry) []wheel.Expiry {
	l, index := v.Level, v.Slot
	s := index - w.Levels[l].First
	if !v.Begun {
		w.Visits[0].Begun = true
		if w.Log != nil && w.Slots[index].Live() > 0 {
			w.EmitHand(int8(l), s, 0)
		}
	}
	end, touched := w.Part(&v), int64(0)
	for k := v.Next; k < end; k++ {
		if (k-v.Next)%core.PrefetchBatch == 0 {
			if !w.Arena.Spend(int64(min(core.PrefetchBatch, end-k))) {
				return fired
			}
			w.Prefetched += w.Slots[index].Prefetch(&w.Arena, k, end)
		}
		if !w.Slots[index].Holds(&w.Arena, index, k) {
			continue
		}
		touched++
		w.Costs.Touched++
		i := w.Slots[index].IDs[k]
		n := w.Arena.At(i)
		if !w.cascade(i, n, l, s) {
			fired = w.Expire(w, i, n, int8(l), s, fired)
		}
	}
	w.EndPart(&w.Base, end, touched)
	return fired
}

// cascade moves node n, which has index i, from slot s of level l to its slot at a finer level. It
// is called when a hand has reached slot s. If the timer must fire now instead, cascade moves
// nothing and returns false.
func (w *hierarchical) cascade(i uint32, n *core.Node, l int, s uint32) bool {
	if l == 0 && n.State != core.StatePostponed || w.config.Migration == MigrateNone || n.State == core.StateMigrated {
		return false
	}
	e := w.tickOf(n)
	to := l - 1
	var index int64
	if w.config.Migration == MigrateFull {
		if e <= w.clock {
			return false
		}
		to, index = w.levelWithin(n, e)
	} else {
		if index = w.round(to, e); index <= w.Levels[to].Hand {
			return false
		}
		n.State = core.StateMigrated
	}
	w.Costs.Moved++
	slot := w.Put(&w.Arena, i, n, to, index)
	if w.Log != nil {
		w.EmitPlace(wheel.KindCascade, n, int8(l), s, int8(to), slot, wheel.NoRounds)
	}
	return true
}

// IdlePeak returns the largest cost of a single tick in (Now, to], and the first tick with that cost;
// see [wheel.Wheel]. A tick at which no timer is found costs 1 for each level whose hand moves. When
// the hand of a level moves, the hands of all finer levels move too.
func (w *hierarchical) IdlePeak(to wheel.Tick) (int64, wheel.Tick) {
	k := to / w.u
	for i := len(w.Levels) - 1; i >= 0; i-- {
		if l := &w.Levels[i]; l.Index(k) > l.Hand {
			return int64(i) + 1, (l.Hand + 1) * l.Width * w.u
		}
	}
	return 0, 0
}

// Check verifies the hands, the arena and every slot. It verifies with w.belongs that the slot of
// each timer contains the wheel tick at which the timer should fire, or is the slot to which
// Config.Round rounds this tick.
func (w *hierarchical) Check() error {
	c := core.Checker{Arena: &w.Arena}
	for i := range w.Levels {
		if l := &w.Levels[i]; l.Hand != l.Index(w.clock) {
			c.Fail("the hand of level %d is at %d, want %d", i, l.Hand, l.Index(w.clock))
		}
	}
	c.Levels(&w.LevelSet, w.belongs)
	return c.Done()
}

// belongs reports whether n's timer may be in slot s of level i. The slot must contain the wheel tick at
// which the timer should fire. For a timer that will not move to a finer level again, this tick is first
// rounded to a slot according to Config.Round. The slot must be at most one revolution ahead of the
// hand. It may be the slot under the hand only while that slot is being visited and the timer has not
// been processed yet.
func (w *hierarchical) belongs(i int, s int64, n *core.Node) bool {
	l := &w.Levels[i]
	e := w.tickOf(n)
	index, hand := l.Index(e), l.Hand
	if w.Waits(n) {
		if w.config.Program { // later ticks may have passed the visit
			return true
		}
		hand--
	}
	if w.config.Migration != MigrateFull && i > 0 {
		index = w.round(i, e)
		if w.config.Migration == MigrateOne && n.State != core.StateMigrated {
			index = l.Index(e)
		}
		return index%l.N == s && index > hand && index-hand <= l.N
	}
	if n.State == core.StatePostponed { // its slot is visited no later than it is due
		ahead := (s - hand%l.N + l.N) % l.N
		if ahead == 0 {
			ahead = l.N
		}
		return index >= hand+ahead
	}
	return index%l.N == s && index > hand && index-hand < l.N
}
