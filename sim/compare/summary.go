package compare

import (
	"cmp"
	"slices"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// Summarize summarizes the results of lanes in a few sentences: which lanes fired every timer on
// time, how their costs compare, and which tick was the costliest. A timer that fires up to acceptLate base ticks late
// counts as on time.
func Summarize(rows []engine.LaneResult, acceptLate int64) []texts.Message {
	sentences := newSummary(rows, acceptLate).sentences()
	if acceptLate > 0 {
		sentences = slices.Insert(sentences, 1, texts.Of("verdict.accept", "ticks", texts.Count(acceptLate)))
	}
	return sentences
}

// summary divides lanes into exact lanes, which fired every timer at its due tick and have no
// findings, and flawed lanes.
type summary struct {
	rows   []engine.LaneResult
	late   int64  // number of base ticks that a timer may be late and still count as on time
	exact  []int  // indices in rows of the exact lanes
	flawed []int  // indices in rows of the flawed lanes, which are all others
	done   totals // totals over the exact lanes
}

// totals holds results of the exact lanes, which fired every timer on time; see summary.
type totals struct {
	fired       int64 // number of timer runs fired by each exact lane
	cancelled   bool  // whether an exact lane cancelled a timer
	nonePending bool  // whether no exact lane had pending timers at the end
	runs        bool  // whether any timer in the workload repeats; if so, the summary counts timer runs instead of timers
}

func newSummary(rows []engine.LaneResult, acceptLate int64) *summary {
	v := &summary{rows: rows, late: acceptLate, done: totals{nonePending: true}}
	for i := range rows {
		if v.onTime(&rows[i]) {
			v.done.fired = max(v.done.fired, rows[i].Fired)
		}
	}
	for i := range rows {
		if r := &rows[i]; v.onTime(r) && r.Fired == v.done.fired {
			v.exact = append(v.exact, i)
			v.done.nonePending = v.done.nonePending && r.Pending == 0
			v.done.cancelled = v.done.cancelled || r.Cancelled > 0
			v.done.runs = r.Repeats
		} else {
			v.flawed = append(v.flawed, i)
		}
	}
	return v
}

// onTime reports whether the lane fired every timer on time and has no findings.
func (v *summary) onTime(r *engine.LaneResult) bool {
	return r.Early == 0 && r.LateMax <= v.late && r.Rejected == 0 && r.Findings == 0
}

func (v *summary) sentences() []texts.Message {
	sentences := []texts.Message{v.outcome()}
	if len(v.rows) == 1 {
		return append(sentences, aloneWords(&v.rows[0]), texts.Of("verdict.units"))
	}
	compared := v.exact
	if len(compared) < 2 {
		compared = v.accepting()
	}
	if len(compared) < 2 {
		return append(sentences, texts.Of("verdict.units"))
	}
	costliest, cheapest := v.ends(compared, func(r *engine.LaneResult) int64 { return r.Cost })
	if costliest.Cost == cheapest.Cost {
		sentences = append(sentences, alikeWords(len(compared), costliest.Cost))
	} else {
		sentences = append(sentences, workWords(largestExcess(costliest, cheapest), costliest, cheapest, len(v.exact) > 1))
		if costliest.Cost < decisive*cheapest.Cost {
			sentences = append(sentences, texts.Of("verdict.close"))
		}
	}
	if costliest, cheapest = v.ends(compared, func(r *engine.LaneResult) int64 { return r.WorstTick }); costliest.WorstTick > cheapest.WorstTick {
		sentences = append(sentences, worstWords(costliest, cheapest))
	}
	return append(sentences, texts.Of("verdict.units"))
}

// decisive is the least ratio of two costs in units for which the summary does not say that it leaves open which lane is
// faster. The time of one unit differs by far more between algorithms than a small ratio.
const decisive = 4

// accepting returns the indices of the lanes that rejected no timer. A lane that has less to do because it rejected
// timers is not compared with others.
func (v *summary) accepting() []int {
	var list []int
	for i := range v.rows {
		if v.rows[i].Rejected == 0 {
			list = append(list, i)
		}
	}
	return list
}

// ends calls value for each row of v.rows whose index is in lanes, and returns the rows for which value
// returns the largest and the smallest result. Of several rows with the same result, ends returns the
// first.
func (v *summary) ends(lanes []int, value func(*engine.LaneResult) int64) (most, least *engine.LaneResult) {
	by := func(a, b int) int { return cmp.Compare(value(&v.rows[a]), value(&v.rows[b])) }
	return &v.rows[slices.MaxFunc(lanes, by)], &v.rows[slices.MinFunc(lanes, by)]
}

// counter identifies one of the four parts of a cost: slots, timers touched, comparisons and moves.
type counter int

const (
	slotsExamined counter = iota
	timersTouched
	duesCompared
	timersMoved
	counters
)

func (c counter) of(r *engine.LaneResult) int64 {
	return [counters]int64{r.Work.Slots, r.Work.Touched, r.Work.Compared, r.Work.Moved}[c]
}

// largestExcess returns the part of the cost in which costliest exceeds cheapest by the most.
func largestExcess(costliest, cheapest *engine.LaneResult) counter {
	best := slotsExamined
	for c := best; c < counters; c++ {
		if c.of(costliest)-c.of(cheapest) > best.of(costliest)-best.of(cheapest) {
			best = c
		}
	}
	return best
}
