package sim

import (
	"cmp"
	"slices"
)

// Verdict tells in a few sentences what came of a comparison: who did the work as
// asked, what it took, and whose single tick was the dearest. All of it follows
// from the rows; nothing is said that they do not show.
func Verdict(rows []LaneResult) []Text {
	v := judge(rows)
	en, zh := v.tell(english{}), v.tell(chinese{})
	texts := make([]Text, len(en))
	for i := range en {
		texts[i] = Text{Langs: []LangText{{"en", en[i]}, {"zh", zh[i]}}}
	}
	return texts
}

// verdict sorts the lanes by whether they fired every timer, each at its due tick.
type verdict struct {
	rows   []LaneResult
	exact  []int // rows of the lanes that did
	flawed []int
	done   deeds // of each of the exact lanes
}

// deeds are what lanes did alike.
type deeds struct {
	fired     int64
	cancelled bool // others were cancelled before
	whole     bool // nothing was armed at the end any more
	runs      bool // of timers that run more than once
}

func judge(rows []LaneResult) *verdict {
	v := &verdict{rows: rows, done: deeds{whole: true}}
	for i := range rows {
		if flawless(&rows[i]) {
			v.done.fired = max(v.done.fired, rows[i].Fired)
		}
	}
	for i := range rows {
		if r := &rows[i]; flawless(r) && r.Fired == v.done.fired {
			v.exact = append(v.exact, i)
			v.done.whole = v.done.whole && r.Pending == 0
			v.done.cancelled = v.done.cancelled || r.Cancelled > 0
			v.done.runs = r.Repeats
		} else {
			v.flawed = append(v.flawed, i)
		}
	}
	return v
}

func flawless(r *LaneResult) bool {
	return r.Early == 0 && r.Late == 0 && r.Rejected == 0 && r.Findings == 0
}

// voice says things in one language.
type voice interface {
	exact(lanes []string, all bool, did deeds) string          // who fired everything on time
	none() string                                              // nobody did
	flaw(r *LaneResult, fired int64) string                    // what a lane did instead
	others(n int) string                                       // more lanes with flaws
	work(c counter, dear, cheap *LaneResult, done bool) string // done: both did all that was asked
	alike(lanes int, cost int64) string                        // all of them cost the same
	alone(r *LaneResult) string                                // what the only lane cost
	worst(dear, cheap *LaneResult) string
	join(parts []string) string // into one sentence
}

// flawsMax bounds the lanes of which a verdict says what went wrong.
const flawsMax = 4

func (v *verdict) tell(in voice) []string {
	sentences := []string{v.outcome(in)}
	racers := v.exact
	if len(racers) < 2 {
		racers = v.all()
	}
	if len(v.rows) == 1 {
		return append(sentences, in.alone(&v.rows[0]))
	}
	dear, cheap := v.ends(racers, func(r *LaneResult) int64 { return r.Cost })
	if dear.Cost == cheap.Cost {
		sentences = append(sentences, in.alike(len(racers), dear.Cost))
	} else {
		sentences = append(sentences, in.work(telling(dear, cheap), dear, cheap, len(v.exact) > 1))
	}
	if dear, cheap = v.ends(racers, func(r *LaneResult) int64 { return r.WorstTick }); dear.WorstTick > cheap.WorstTick {
		sentences = append(sentences, in.worst(dear, cheap))
	}
	return sentences
}

func (v *verdict) outcome(in voice) string {
	var parts []string
	if len(v.exact) > 0 {
		var names []string
		for _, i := range v.exact {
			names = append(names, v.rows[i].Lane)
		}
		parts = append(parts, in.exact(names, len(v.flawed) == 0, v.done))
	} else {
		parts = append(parts, in.none())
	}
	for n, i := range v.flawed {
		if n == flawsMax {
			parts = append(parts, in.others(len(v.flawed)-n))
			break
		}
		parts = append(parts, in.flaw(&v.rows[i], v.done.fired))
	}
	return in.join(parts)
}

func (v *verdict) all() []int {
	all := make([]int, len(v.rows))
	for i := range all {
		all[i] = i
	}
	return all
}

// ends gives the first of the lanes with the greatest value, and with the least.
func (v *verdict) ends(lanes []int, of func(*LaneResult) int64) (most, least *LaneResult) {
	by := func(a, b int) int { return cmp.Compare(of(&v.rows[a]), of(&v.rows[b])) }
	return &v.rows[slices.MaxFunc(lanes, by)], &v.rows[slices.MinFunc(lanes, by)]
}

// counter is one of the four parts of a cost.
type counter int

const (
	slotsExamined counter = iota
	timersTouched
	duesCompared
	timersMoved
	counters
)

func (c counter) of(r *LaneResult) int64 {
	return [counters]int64{r.Work.Slots, r.Work.Touched, r.Work.Compared, r.Work.Moved}[c]
}

// telling is the part of the cost in which two lanes differ most: what the dear
// one does more of.
func telling(dear, cheap *LaneResult) counter {
	best := slotsExamined
	for c := best; c < counters; c++ {
		if c.of(dear)-c.of(cheap) > best.of(dear)-best.of(cheap) {
			best = c
		}
	}
	return best
}
