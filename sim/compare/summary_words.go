package compare

import (
	"strconv"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// describedFaultsMax is the maximum number of flawed lanes (see summary) that a summary describes one by one.
const describedFaultsMax = 4

// outcome returns the sentence that names the exact lanes, which fired every timer on time, and
// describes what the other lanes did wrong.
func (v *summary) outcome() texts.Message {
	var parts []texts.Message
	if len(v.exact) > 0 {
		parts = append(parts, v.exactWords())
	} else {
		parts = append(parts, texts.Of("verdict.inexact"))
	}
	for n, i := range v.flawed {
		if n == describedFaultsMax {
			parts = append(parts, others(len(v.flawed)-n))
			break
		}
		parts = append(parts, flaws(&v.rows[i], v.done.fired))
	}
	return texts.Of("verdict.outcome", "parts", texts.NewList("list.semicolon", parts))
}

// exactWords returns the phrase that names the exact lanes, which fired every timer on time, and gives the number of
// timers that each of them fired.
func (v *summary) exactWords() texts.Message {
	did, key := &v.done, "verdict.exact.all"
	switch {
	case did.fired == 0:
		key = "verdict.exact.none"
	case !did.nonePending:
		key = "verdict.exact.pending"
	case did.cancelled:
		key = "verdict.exact.cancelled"
	case did.fired == 1 && did.runs:
		key = "verdict.exact.run"
	case did.fired == 1:
		key = "verdict.exact.timer"
	}
	return texts.Of(key, "lanes", v.exactLanes(), "count", countWords(did.fired, did.runs))
}

// laneWords is the largest number of lanes that a sentence spells out, as in "All twelve".
const laneWords = 12

// exactLanes returns the names of the exact lanes, which fired every timer on time, or a phrase such as "All four" if
// every lane is exact.
func (v *summary) exactLanes() texts.Message {
	n := len(v.exact)
	var names []string
	for _, i := range v.exact {
		names = append(names, v.rows[i].Lane)
	}
	switch {
	case n == 1:
		return texts.Of("verdict.lanes.one", "lane", names[0])
	case len(v.flawed) > 0:
		return texts.Of("verdict.lanes.some", "lanes", texts.NewList("list.comma", names[:n-1]), "last", names[n-1])
	case n <= laneWords:
		return texts.Of("verdict.lanes." + strconv.Itoa(n))
	}
	return texts.Of("verdict.lanes.all", "n", n)
}

// countWords returns the phrase for n timers or, if runs is true, for n timer runs.
func countWords(n int64, runs bool) texts.Message {
	if runs {
		return texts.Of("count.runs", "n", texts.Count(n))
	}
	return texts.Of("count.timers", "n", texts.Count(n))
}

// flaws returns the phrase that describes what a lane did wrong, such as the number of timers that it fired
// late. fired is the number of timers that each exact lane fired, or 0 if there is no exact lane.
func flaws(r *engine.LaneResult, fired int64) texts.Message {
	var parts []texts.Message
	if r.Rejected > 0 {
		parts = append(parts, texts.Of("verdict.flaw.rejected", "n", texts.Count(r.Rejected)))
	}
	if r.Early > 0 {
		parts = append(parts, texts.Of("verdict.flaw.early", "n", texts.Count(r.Early), "ticks", texts.Count(r.EarlyMax)))
	}
	if r.Late > 0 {
		parts = append(parts, texts.Of("verdict.flaw.late", "n", texts.Count(r.Late), "ticks", texts.Count(r.LateMax)))
	}
	if r.Findings > 0 {
		parts = append(parts, texts.Of("verdict.flaw.findings", "n", texts.Count(r.Findings)))
	}
	if len(parts) == 0 {
		parts = append(parts, texts.Of("verdict.flaw.fired", "n", texts.Count(r.Fired), "all", texts.Count(fired)))
	}
	return texts.Of("verdict.flaws", "lane", r.Lane, "flaws", texts.NewList("list.and", parts))
}

// others returns the phrase for the flawed lanes that a summary does not describe one by one. n is the number of these
// lanes.
func others(n int) texts.Message {
	if n == 1 {
		return texts.Of("verdict.others.one")
	}
	return texts.Of("verdict.others.many", "n", n)
}

// workWords returns the sentence that compares the costs of two lanes, in total and for c, one of the four parts of a
// cost. done is true if both lanes fired every timer on time.
func workWords(c counter, costliest, cheapest *engine.LaneResult, done bool) texts.Message {
	did := texts.Of("verdict.did."+[counters]string{"slots", "touched", "compared", "moved"}[c], "n", texts.Count(c.of(costliest)))
	key := "verdict.work"
	if done {
		key = "verdict.work.done"
	}
	return texts.Of(key, "costliest", costliest.Lane, "did", did, "cheapest", cheapest.Lane, "n", texts.Count(c.of(cheapest)),
		"cost", texts.Count(costliest.Cost), "least", texts.Count(cheapest.Cost))
}

// alikeWords returns the sentence for lanes that all have the same cost.
func alikeWords(lanes int, cost int64) texts.Message {
	return texts.Of("verdict.alike", "n", lanes, "cost", texts.Count(cost))
}

// aloneWords returns the sentence about the cost of a run's only lane, whose result is r.
func aloneWords(r *engine.LaneResult) texts.Message {
	return texts.Of("verdict.alone", "cost", texts.Count(r.Cost), "worst", texts.Count(r.WorstTick))
}

// worstWords returns the sentence that compares the costliest ticks of two lanes.
func worstWords(costliest, cheapest *engine.LaneResult) texts.Message {
	return texts.Of("verdict.worst", "cost", texts.Count(costliest.WorstTick), "tick", costliest.WorstTickAt, "costliest", costliest.Lane,
		"cheapest", cheapest.Lane, "worst", texts.Count(cheapest.WorstTick))
}
