package sim

import (
	"github.com/wheelscope/wheelscope/sim/scenario"
	"slices"
)

// Words summarizes a contest in a few sentences: whether the workloads are the same, where and
// how the lanes first differ, and how they compare with the oracle. Of two sides the first is
// called A and the second B.
func (c *Contest) Words() []scenario.Text {
	en, zh := c.sentences(contestEnglish{c}), c.sentences(contestChinese{c})
	texts := make([]scenario.Text, len(en))
	for i := range en {
		texts[i] = scenario.Text{Langs: []scenario.LangText{{Lang: "en", Text: en[i]}, {Lang: "zh", Text: zh[i]}}}
	}
	return texts
}

// repeats reports whether a timer of any side runs more than once, so that runs are counted
// instead of timers.
func (c *Contest) repeats() bool {
	return slices.ContainsFunc(c.Sides, func(s Side) bool { return s.Program.Repeats() })
}

// contestVoice writes the sentences of a summary in one language.
type contestVoice interface {
	workload() string
	until() string
	alike(lanes int) string
	first(at *Meeting, differing int64, more bool) string
	events() string
	noPairs() string
	cost(a, b *LaneResult) string
	oracle(exact []string, off *Contestant) string
}

// costsMax bounds the pairs of lanes whose costs a summary compares.
const costsMax = 3

func (c *Contest) sentences(in contestVoice) []string {
	var list []string
	if len(c.Sides) == 2 {
		list = append(list, in.workload())
		if c.sooner() {
			list = append(list, in.until())
		}
	}
	switch {
	case len(c.Groups) == 0:
		list = append(list, in.noPairs())
	case c.First == nil:
		list = append(list, in.alike(len(c.Groups[0])))
	default:
		differing, more := c.Differing()
		list = append(list, in.first(c.First, differing, more))
	}
	if c.Events != nil {
		list = append(list, in.events())
	}
	list = append(list, c.costWords(in)...)
	return append(list, c.oracleWords(in))
}

// costWords compares the costs of the first costsMax pairs of lanes whose costs differ.
func (c *Contest) costWords(in contestVoice) (list []string) {
	for _, g := range c.Groups {
		if len(c.Sides) < 2 || len(list) == costsMax {
			break
		}
		a, b := &c.Rows[0][g[0].Lane], &c.Rows[1][g[1].Lane]
		if a.Cost >= 0 && b.Cost >= 0 && (a.Cost != b.Cost || a.WorstTick != b.WorstTick) {
			list = append(list, in.cost(a, b))
		}
	}
	return list
}

// oracleWords names the lanes that agree with the oracle, and the lane that differs from it
// first.
func (c *Contest) oracleWords(in contestVoice) string {
	var exact []string
	var off *Contestant
	for side := range c.Against {
		for lane := range c.Against[side] {
			at := Contestant{side, lane}
			first := c.Against[side][lane].First
			switch {
			case first == nil:
				exact = append(exact, c.NameOf(at))
			case off == nil || first.Tick < c.Against[off.Side][off.Lane].First.Tick:
				off = &at
			}
		}
	}
	return in.oracle(exact, off)
}

// Differing returns the number of runs of timers with different outcomes in compared lanes;
// more reports that there are others, which were not counted.
func (c *Contest) Differing() (n int64, more bool) {
	for _, s := range c.Scores {
		n += s.Differing
		more = more || s.More
	}
	return n, more
}

// NameOf returns the name of a lane: its id and, if there are two sides, the letter of its side.
func (c *Contest) NameOf(l Contestant) string {
	id := c.Sides[l.Side].Program.Scenario.Lanes[l.Lane].ID
	if len(c.Sides) == 1 {
		return id
	}
	return id + " " + SideLetter(l.Side)
}

// SideLetter returns A for side 0 and B for side 1.
func SideLetter(side int) string { return string(rune('A' + side)) }

// byEnd groups the lanes of a meeting by outcome, in order.
func (c *Contest) byEnd(at *Meeting) (ends []End, lanes [][]string) {
next:
	for i, e := range at.Ends {
		name := c.NameOf(c.Groups[at.Group][i])
		for k := range ends {
			if ends[k] == e {
				lanes[k] = append(lanes[k], name)
				continue next
			}
		}
		ends, lanes = append(ends, e), append(lanes, []string{name})
	}
	return ends, lanes
}

// apart reports whether the due ticks of the timer differ between the sides.
func (at *Meeting) apart() bool {
	return slices.ContainsFunc(at.Ends, func(e End) bool { return !e.Gone && e.Due != at.Due })
}

// sooner reports whether one side ends before the other; what follows is not compared.
func (c *Contest) sooner() bool {
	return len(c.Sides) == 2 && c.Sides[0].Program.Until != c.Sides[1].Program.Until
}
