package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/wheel"
)

// Words summarizes the comparison in a few sentences: whether the workloads are the same, how the
// lanes first differ, and how they compare with the oracle. If there are two sides, the sentences
// call them A and B.
func (c *Comparison) Words() (list []texts.Message) {
	if len(c.Sides) == 2 {
		list = append(list, c.workWords())
		if c.untilDiffers() {
			list = append(list, texts.Of("pair.until", "tick", c.Until))
		}
	}
	if c.First == nil {
		list = append(list, c.alikeWords())
	} else {
		list = append(list, c.firstWords())
	}
	if c.Events != nil {
		list = append(list, c.eventWords())
	}
	list = append(list, c.costWords()...)
	return append(list, c.oracleWords())
}

func (c *Comparison) workWords() texts.Message {
	if c.Apart < 0 {
		return texts.Of("pair.work.same")
	}
	return texts.Of("pair.work.apart", "tick", c.Apart)
}

// alikeWords returns the sentence for a comparison without differences.
func (c *Comparison) alikeWords() texts.Message {
	switch {
	case len(c.Groups) == 0 || len(c.Groups[0]) == 1:
		return texts.Of("pair.single")
	case len(c.Sides) == 1:
		return texts.Of("pair.same.lanes", "n", len(c.Groups[0]))
	case c.untilDiffers():
		return texts.Of("pair.same.until", "tick", c.Until)
	}
	return texts.Of("pair.same.runs")
}

// firstWords returns the sentence about c.First, the first difference between lanes.
func (c *Comparison) firstWords() texts.Message {
	at, key := c.First, "pair.first"
	if at.duesDiffer() {
		key = "pair.first.apart"
	}
	differing, more := c.Differing()
	count := countWords(differing, c.repeats())
	if more {
		count = texts.Of("count.more", "count", count)
	}
	return texts.Of(key, "tick", at.Tick, "timer", at.timer(), "due", at.Due, "ends", c.endWords(at), "count", count)
}

// endWords returns a list of phrases, one for each distinct outcome in at.Ends. Each phrase names the
// lanes that have the outcome.
func (c *Comparison) endWords(at *Difference) texts.List {
	var parts []texts.Message
	ends, lanes := c.byEnd(at)
	for k, e := range ends {
		key := "pair.end"
		if at.duesDiffer() && !e.Gone {
			key = "pair.end.apart"
		}
		parts = append(parts, texts.Of(key, "lanes", texts.NewList("list.comma", lanes[k]), "due", e.Due, "end", e.words()))
	}
	return texts.NewList("list.semicolon", parts)
}

// words returns the phrase for outcome e, such as "fired it on time".
func (e End) words() texts.Message {
	switch {
	case e.Gone:
		return texts.Of("pair.end.absent")
	case e.Kind == wheel.KindReject:
		return texts.Of("pair.end.reject", "tick", e.Tick)
	case e.Kind == wheel.KindCancel:
		return texts.Of("pair.end.cancel", "tick", e.Tick)
	case e.Kind == wheel.KindNone:
		return texts.Of("pair.end.none")
	case e.Tick == e.Due:
		return texts.Of("pair.end.expire")
	case e.Tick < e.Due:
		return texts.Of("pair.end.early", "tick", e.Tick, "n", texts.Count(e.Due-e.Tick))
	}
	return texts.Of("pair.end.late", "tick", e.Tick, "n", texts.Count(e.Tick-e.Due))
}

// timer returns the name of the timer, as a string, if at concerns the timer's first run. For a later
// run, it returns a texts.Message that contains the name and the number of the run.
func (at *Difference) timer() any {
	if at.Run > 1 {
		return texts.Of("pair.timer.run", "timer", at.Timer, "run", at.Run)
	}
	return at.Timer
}

// eventWords returns the sentence about c.Events, the first difference between the events of two lanes,
// one from each side of the comparison.
func (c *Comparison) eventWords() texts.Message {
	e := c.Events
	var lines [2]any
	for side, line := range e.Lines {
		if lines[side] = eventInWords(line); line == "" {
			lines[side] = texts.Of("pair.events.none")
		}
	}
	return texts.Of("pair.events", "lane", c.Rows[0][c.Groups[e.Group][0].Lane].Lane, "tick", e.Tick, "a", lines[0], "b", lines[1])
}

// eventInWords returns an event, given as a line of a trace, as words: "schedule a (due 5)". The fields that both
// events share or that only number them are left out. It returns other lines unchanged.
func eventInWords(line string) string {
	dec := jsontext.NewDecoder(strings.NewReader(line))
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return line
	}
	var head, rest []string
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return line
		}
		field := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			return line
		}
		switch text := strings.Trim(value.String(), `"`); field {
		case "seq", "tick", "lane", "id":
		case "kind", "timer":
			head = append(head, text)
		default:
			rest = append(rest, field+" "+text)
		}
	}
	words := strings.Join(head, " ")
	if len(rest) > 0 {
		words += " (" + strings.Join(rest, ", ") + ")"
	}
	return cmp.Or(words, line)
}

// repeats reports whether the workload of any side has a repeating timer. If so, the sentences of
// Words count timer runs instead of timers.
func (c *Comparison) repeats() bool {
	return slices.ContainsFunc(c.Sides, func(s Side) bool { return s.Program.Repeats() })
}

// costsMax is the maximum number of pairs of lanes whose costs Words compares.
const costsMax = 3

// costWords compares the costs of paired lanes, one from each side of the comparison. It returns a
// sentence for each of the first costsMax pairs that differ in the total cost or in the cost of the
// costliest tick. It skips pairs in which the costs of a lane are unknown, because its side is a trace.
// It returns nil if the comparison has only one side.
func (c *Comparison) costWords() (list []texts.Message) {
	for _, g := range c.Groups {
		if len(c.Sides) < 2 || len(list) == costsMax {
			break
		}
		a, b := &c.Rows[0][g[0].Lane], &c.Rows[1][g[1].Lane]
		if a.Cost < 0 || b.Cost < 0 || a.Cost == b.Cost && a.WorstTick == b.WorstTick {
			continue
		}
		key := "pair.cost"
		if a.Lane != b.Lane {
			key = "pair.cost.lanes"
		}
		list = append(list, texts.Of(key, "lane", a.Lane, "other", b.Lane, "a", texts.Count(a.Cost), "b", texts.Count(b.Cost),
			"worstA", texts.Count(a.WorstTick), "tickA", a.WorstTickAt, "worstB", texts.Count(b.WorstTick), "tickB", b.WorstTickAt))
	}
	return list
}

// oracleWords returns the sentence that lists the lanes that agree with the oracle. If other lanes
// do not, the sentence also describes the earliest deviation.
func (c *Comparison) oracleWords() texts.Message {
	var exact []string
	var off *LaneRef
	for side := range c.Against {
		for lane := range c.Against[side] {
			at := LaneRef{side, lane}
			first := c.Against[side][lane].First
			switch {
			case first == nil:
				exact = append(exact, c.nameOf(at))
			case off == nil || first.Tick < c.Against[off.Side][off.Lane].First.Tick:
				off = &at
			}
		}
	}
	lanes := texts.Of("pair.oracle.none")
	if len(exact) > 0 {
		lanes = texts.Of("pair.oracle.lanes", "lanes", texts.NewList("list.comma", exact))
	}
	if off == nil {
		return texts.Of("pair.oracle", "lanes", lanes)
	}
	first := c.Against[off.Side][off.Lane].First
	return texts.Of("pair.oracle.off", "lanes", lanes, "lane", c.nameOf(*off), "tick", first.Tick, "timer", first.timer())
}

// Differing returns the number of timer runs that have different outcomes in the compared lanes. If
// more is true, n is only a lower bound.
func (c *Comparison) Differing() (n int64, more bool) {
	for _, s := range c.Scores {
		n += s.Differing
		more = more || s.More
	}
	return n, more
}

// nameOf returns the ID of lane l, followed by the letter of its side if there are two sides.
func (c *Comparison) nameOf(l LaneRef) string {
	id := c.Sides[l.Side].Program.Scenario.Lanes[l.Lane].ID
	if len(c.Sides) == 1 {
		return id
	}
	return id + " " + sideLetter(l.Side)
}

// sideLetter returns A for side 0 and B for side 1.
func sideLetter(side int) string { return string(rune('A' + side)) }

// byEnd returns the distinct elements of at.Ends and, for each of these outcomes, the names of the
// lanes that have it.
func (c *Comparison) byEnd(at *Difference) (ends []End, lanes [][]string) {
next:
	for i, e := range at.Ends {
		name := c.nameOf(c.Groups[at.Group][i])
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

// duesDiffer reports whether the timer run has different due ticks on the two sides of the
// comparison.
func (at *Difference) duesDiffer() bool {
	return slices.ContainsFunc(at.Ends, func(e End) bool { return !e.Gone && e.Due != at.Due })
}

// untilDiffers reports whether one side of the comparison ends at an earlier tick than the other.
// Ticks after the earlier end are not compared.
func (c *Comparison) untilDiffers() bool {
	return len(c.Sides) == 2 && c.Sides[0].Program.Until != c.Sides[1].Program.Until
}
