package program

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/wheelscope/wheelscope/sim/scenario"
)

// workloadBounds holds bounds that follow from the plan alone, such as the number of runs, and therefore
// apply to all lanes. Ticks are relative to the scenario's start.
type workloadBounds struct {
	p        *Program
	arms     int64     // number of operations that schedule a timer
	cancels  int64     // number of operations that can end a timer: cancel, set and reset
	repeats  int64     // number of repeating timers
	runs     int64     // number of timer runs up to Program.Until, including first runs
	byLength [64]int64 // byLength[n] is the number of timer runs whose delay or interval in ticks has n bits
	rate     float64   // average number of runs per tick of all repeating timers together
	// wait is the sum, over all timers, of the number of ticks from the scheduling of the timer to its last run or to
	// Program.Until, whichever is earlier.
	wait    int64
	horizon int64 // latest due tick of any timer
	delay   int64 // maximum delay or interval of a timer in ticks
	// tickArms is the maximum, over all ticks, of the number of timers scheduled in a tick plus, for the repeating
	// ones among them, the number of their runs that can fire in that tick.
	tickArms int64
	// tickCancels is the maximum number of operations in one tick that can end a timer.
	tickCancels int64
	stall       int64 // number of ticks of the longest stall that ends within the run
	width       int64 // maximum width of a slot at level 0, in base ticks, over all lanes
	coarse      bool  // whether any lane fires timers from slots of levels above level 0
	nameMax     int   // length in bytes of the longest name

	// The fields below are computed on first use and shared by lanes with the same rule and lateness.

	armed  []int64             // ticks at which timers are scheduled, in ascending order
	ended  map[endRule][]int64 // for each rule, the ticks at which timers leave a lane to which the rule applies, in ascending order
	lives  map[lateRule]int64
	atOnce map[lateRule]int64
}

// lateRule is the key of maps whose values apply to all lanes with the same rule and the same maximum lateness. late
// is the maximum lateness in ticks.
type lateRule struct {
	rule endRule
	late int64
}

// endRule determines the tick at which a lane stops storing a timer.
type endRule uint8

const (
	// endFired means that a lane stores a timer until its last run or until it is cancelled.
	endFired endRule = iota
	// endMarked means that a lane stores a timer until its last run, even if the timer is cancelled: it removes a
	// cancelled timer only when the last run would have fired.
	endMarked
	// endDelayed is like endFired, but the last run can be late by up to twice the delay or interval of the timer.
	endDelayed
	// endNever means that a lane may store a timer forever unless the timer is cancelled, because of a fault in the
	// algorithm.
	endNever
)

// measure computes the workload bounds of p in one pass over its operations.
func (p *Program) measure() *workloadBounds {
	w := &workloadBounds{p: p, width: p.Scenario.Rest() / 2, ended: map[endRule][]int64{},
		lives: map[lateRule]int64{}, atOnce: map[lateRule]int64{}}
	for i := range p.Scenario.Lanes {
		migration, ok := p.Scenario.Lanes[i].Params["migration"].(string)
		w.coarse = w.coarse || ok && migration != "full"
	}
	at, arms, cancels := int64(-1), int64(0), int64(0)
	for i := range p.Ops {
		op := &p.Ops[i]
		if op.At != at {
			at, arms, cancels = op.At, 0, 0
		}
		if op.Kind == scenario.OpCancel || op.Kind == scenario.OpSet || op.Kind == scenario.OpReset {
			w.cancels++
			cancels++
		}
		if op.Kind.Arms() {
			w.arm(op)
			arms++
			if op.Every > 0 {
				arms += op.runsWithin(w.early(op) - op.Delay)
			}
		}
		w.tickArms, w.tickCancels = max(w.tickArms, arms), max(w.tickCancels, cancels)
	}
	for _, s := range p.Stalls {
		if s[1] < p.Until {
			w.stall = max(w.stall, s[1]-s[0]+2)
		}
	}
	w.nameMax = p.names.longest()
	return w
}

// early returns an upper bound, for all lanes, on the number of ticks by which a run of op's timer can fire
// before its due tick. Timers fire early if the slots of a lane span several ticks.
func (w *workloadBounds) early(op *Planned) int64 {
	if w.coarse {
		return satAdd(w.width, 2*max(op.Delay, op.Every))
	}
	return w.width
}

// arm updates the bounds for op, an operation that schedules a timer.
func (w *workloadBounds) arm(op *Planned) {
	delay := max(op.Delay, 0)
	end := min(w.p.Until, op.end())
	w.arms++
	w.byLength[bits.Len64(uint64(delay))]++
	due := op.At + delay
	runs := int64(1)
	if op.Every > 0 {
		w.repeats++
		runs = op.runsWithin(satAdd(w.p.Until-op.At-op.Delay, w.early(op))) + 1
		w.byLength[bits.Len64(uint64(op.Every))] += runs
		w.rate += 1 / float64(op.Every)
		delay = max(delay, op.Every)
		last := w.p.Until + op.Every
		if end = w.p.Until; op.Times > 0 {
			end, last = min(end, max(op.end(), op.At)), min(last, op.end())
		}
		due = max(due, last)
	}
	w.runs = satAdd(w.runs, runs)
	w.wait = satAdd(w.wait, max(end-op.At, 0))
	w.horizon = max(w.horizon, due)
	w.delay = max(w.delay, delay)
}

// ends returns, in ascending order, the ticks at which a lane with the given rule would stop storing its timers if no
// timer were late. For a timer that the lane stores forever, the tick is math.MaxInt64.
func (w *workloadBounds) ends(rule endRule) []int64 {
	if list, ok := w.ended[rule]; ok {
		return list
	}
	list := make([]int64, 0, len(w.p.ids))
	byID := make([]uint32, len(w.p.ids)+1) // position in list, plus 1
	for i := range w.p.Ops {
		op := &w.p.Ops[i]
		if k := byID[op.Target]; op.Target != 0 && k != 0 && rule != endMarked {
			list[k-1] = min(list[k-1], op.At)
		}
		if op.Kind.Arms() {
			list = append(list, op.endBy(rule))
			byID[op.ID] = uint32(len(list))
		}
	}
	slices.Sort(list)
	w.ended[rule] = list
	return list
}

// armedAt returns the ticks at which timers are scheduled, in ascending order.
func (w *workloadBounds) armedAt() []int64 {
	if w.armed == nil {
		w.armed = make([]int64, 0, w.arms)
		for i := range w.p.Ops {
			if op := &w.p.Ops[i]; op.Kind.Arms() {
				w.armed = append(w.armed, op.At)
			}
		}
	}
	return w.armed
}

// endBy returns the tick at which a lane with the given rule stops storing the timer of op, provided that
// the timer is not cancelled. The result is math.MaxInt64 if the lane stores the timer forever.
func (op *Planned) endBy(rule endRule) int64 {
	switch {
	case op.Times < 0 || rule == endNever:
		return math.MaxInt64
	case rule == endDelayed:
		return satAdd(max(op.end(), op.At), 2*max(op.Delay, op.Every, 1))
	}
	return max(op.end(), op.At)
}

// live returns an upper bound on the number of timers that a lane with the given rule stores at once. late
// is the maximum lateness of its timers in ticks.
func (w *workloadBounds) live(rule endRule, late int64) int64 {
	key := lateRule{rule, late}
	if n, ok := w.lives[key]; ok {
		return n
	}
	ends := w.ends(rule)
	ended, most := 0, 0
	for i, at := range w.armedAt() {
		for ended < len(ends) && ends[ended] < at && w.p.AfterStall(satAdd(ends[ended], late)) < at {
			ended++
		}
		most = max(most, i+1-ended)
	}
	w.lives[key] = int64(most)
	return int64(most)
}

// dueAtOnce returns an upper bound on the number of timers whose last run fires in the same tick of a lane with the
// given rule. within is the maximum lateness of the lane's timers in ticks. Runs can fire in the same tick if their due
// ticks are at most within ticks apart, or if one stall delays all of them.
func (w *workloadBounds) dueAtOnce(rule endRule, within int64) int64 {
	key := lateRule{rule, within}
	if n, ok := w.atOnce[key]; ok {
		return n
	}
	ends := w.ends(rule)
	most := 0
	for i, j := 0, 0; i < len(ends); i++ {
		for j < len(ends) && ends[j] <= satAdd(ends[i], within) {
			j++
		}
		most = max(most, j-i)
	}
	for _, s := range w.p.Stalls {
		if s[1] < w.p.Until {
			most = max(most, countUpTo(ends, satAdd(s[1]+1, within))-countUpTo(ends, s[0]-1-within))
		}
	}
	w.atOnce[key] = int64(most)
	return int64(most)
}

// countUpTo returns the number of values in a sorted list that are at most x.
func countUpTo(list []int64, x int64) int {
	return sort.Search(len(list), func(i int) bool { return list[i] > x })
}

// repeatsWithin returns an upper bound on the number of runs of repeating timers that are due in a range of
// the given number of ticks.
func (w *workloadBounds) repeatsWithin(ticks int64) int64 {
	n := float64(w.repeats) + float64(ticks)*w.rate
	if n >= float64(w.runs) {
		return w.runs
	}
	return int64(n) + 1
}

// repeatsIn returns an upper bound on the number of runs of repeating timers in one tick of the lane that m describes.
func (w *workloadBounds) repeatsIn(m *laneModel) int64 {
	if w.repeats == 0 {
		return 0
	}
	return w.repeatsWithin(satAdd(m.late, w.stall))
}

// revolutions returns an upper bound on the number of timers that a lane with the given rule touches in visits to
// slots while it catches up after a stall. A timer counts once for each visit to its slot. s holds the first and last
// ticks of the stall, and period is the number of ticks after which the lane visits a slot again.
func (w *workloadBounds) revolutions(rule endRule, s [2]int64, period int64) (visits int64) {
	from, to := s[0]-1, s[1]+1
	ends := w.ends(rule)
	first, last := countUpTo(ends, from), countUpTo(ends, to)
	for _, due := range ends[first:last] {
		visits = satAdd(visits, (due-from)/period+2)
	}
	waiting := int64(countUpTo(w.armedAt(), to) - last)
	if waiting > 0 {
		visits = satAdd(visits, satMul(waiting, (to-from)/period+2))
	}
	return visits
}
