package sim

import (
	"fmt"
	"strings"

	"github.com/wheelscope/wheelscope/wheel"
)

// contestEnglish implements contestVoice in English.
type contestEnglish struct{ c *Contest }

func (v contestEnglish) workload() string {
	if v.c.Apart < 0 {
		return "A and B do the same work."
	}
	return fmt.Sprintf("The workloads differ from tick %d on; timers are compared by name.", v.c.Apart)
}

func (v contestEnglish) until() string {
	return fmt.Sprintf("One ends earlier: firings are compared up to tick %d.", v.c.Until)
}

func (contestEnglish) noPairs() string { return "There is one lane only, nothing to hold it against." }

func (v contestEnglish) alike(lanes int) string {
	if len(v.c.Sides) == 1 && lanes == 1 {
		return v.noPairs()
	}
	if len(v.c.Sides) == 1 {
		return fmt.Sprintf("The %d lanes never differ: every timer comes to its end at the same tick in all of them.", lanes)
	}
	if v.c.sooner() {
		return fmt.Sprintf("Up to tick %d they do not differ.", v.c.Until)
	}
	return "They never differ: every timer comes to its end at the same tick in A and in B."
}

func (v contestEnglish) first(at *Meeting, differing int64, more bool) string {
	ends, lanes := v.c.byEnd(at)
	apart := at.apart()
	var parts []string
	for k := range ends {
		end := englishEnd(ends[k])
		if apart && !ends[k].Gone {
			end = fmt.Sprintf("has it due at %d and %s", ends[k].Due, end)
		}
		parts = append(parts, strings.Join(lanes[k], ", ")+" "+end)
	}
	due := ""
	if !apart {
		due = fmt.Sprintf(", due at %d", at.Due)
	}
	what := "timer"
	if v.c.repeats() {
		what = "run"
	}
	which := plural(differing, what)
	if more {
		which = "more than " + which
	}
	return fmt.Sprintf("They first differ at tick %d, over %s%s: %s. In all %s came out differently.",
		at.Tick, timerName(at), due, strings.Join(parts, "; "), which)
}

// timerName returns a timer's name, with the number of the run from the second run on.
func timerName(at *Meeting) string {
	if at.Run > 1 {
		return fmt.Sprintf("%s (run %d)", at.Timer, at.Run)
	}
	return at.Timer
}

func englishEnd(e End) string {
	switch {
	case e.Gone:
		return "has no such timer"
	case e.Kind == wheel.KindReject:
		return fmt.Sprintf("refused it at %d", e.Tick)
	case e.Kind == wheel.KindCancel:
		return fmt.Sprintf("held it until it was cancelled at %d", e.Tick)
	case e.Kind == wheel.KindNone:
		return "never fired it"
	case e.Tick == e.Due:
		return "fired it on time"
	case e.Tick < e.Due:
		return fmt.Sprintf("fired it at %d, %s early", e.Tick, plural(e.Due-e.Tick, "tick"))
	}
	return fmt.Sprintf("fired it at %d, %s late", e.Tick, plural(e.Tick-e.Due, "tick"))
}

func (v contestEnglish) events() string {
	e := v.c.Events
	return fmt.Sprintf("The events of lane %s are the same before tick %d; there A has %s and B %s.",
		v.c.Rows[0][v.c.Groups[e.Group][0].Lane].Lane, e.Tick, lineOr(e.Lines[0], "nothing more"), lineOr(e.Lines[1], "nothing more"))
}

func lineOr(line, none string) string {
	if line == "" {
		return none
	}
	return line
}

func (contestEnglish) cost(a, b *LaneResult) string {
	if a.Lane != b.Lane {
		return fmt.Sprintf("Lane %s of A costs %s, lane %s of B %s; their costliest ticks %s, at t = %d, and %s, at t = %d.",
			a.Lane, plural(a.Cost, "unit"), b.Lane, grouped(b.Cost), grouped(a.WorstTick), a.WorstTickAt, grouped(b.WorstTick), b.WorstTickAt)
	}
	return fmt.Sprintf("Lane %s costs %s in A and %s in B; its costliest tick %s, at t = %d, and %s, at t = %d.",
		a.Lane, plural(a.Cost, "unit"), grouped(b.Cost), grouped(a.WorstTick), a.WorstTickAt, grouped(b.WorstTick), b.WorstTickAt)
}

func (v contestEnglish) oracle(exact []string, off *Contestant) string {
	said := "No lane"
	if len(exact) > 0 {
		said = strings.Join(exact, ", ")
	}
	said += " did everything at the tick that the workload asks for"
	if off == nil {
		return said + "."
	}
	s := v.c.Against[off.Side][off.Lane]
	return fmt.Sprintf("%s; the first that did not is %s, at tick %d, with %s.", said, v.c.NameOf(*off), s.First.Tick, timerName(s.First))
}
