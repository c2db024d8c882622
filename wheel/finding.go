package wheel

// Findings. A published rule can have faults; a wheel that follows it to the
// letter tells each where it shows, as a KindFinding, so that nobody has to guess
// what went wrong. Due is what the rule should have given, X what it gave:
//
//	early, late    the tick a timer is due at, the tick it fired at
//	lost           1 run, 0 runs: it never fires
//	twice          the runs that were asked for, the run that came on top
//	storm, stuck   1 run of a timer in a tick, the runs it had
//	panic          the least value that the rule can work with, the value it met
//	revived        0 runs, 1 run: it was cancelled and fires all the same
//
// After `stuck` and `panic` the wheel stands still for good: its hand and its
// clock stay where they are, what is scheduled is refused with ErrFault, and what
// still stands there can be cancelled. Nothing of ours panics or loops.

// finding tells a fault about timer key (0: about none). Before the log is asked
// the fault counts: a finding is not a matter of being watched.
func (b *base) finding(code uint8, key uint32, expect, got int64) {
	b.counts.Findings++
	b.dead = b.dead || code == CodeStuck || code == CodePanic
	if b.log != nil {
		b.tell(Event{Kind: KindFinding, Code: code, ID: key, Due: expect, X: got, FromLevel: NoLevel, ToLevel: NoLevel})
	}
}

// offTime tells a timer that fired at tick `at` although it should have fired
// within (aim−u, aim+u], as a rule that leaves out the phase of the tick does.
func (b *base) offTime(key uint32, aim, at, u Tick) {
	switch off := at - aim; {
	case off <= -u:
		b.finding(CodeEarly, key, aim, at)
	case off > u:
		b.finding(CodeLate, key, aim, at)
	}
}

// As is which rule a lane follows where the published one has faults.
const (
	asPublished = "published"
	asCorrected = "corrected"
)

// faultParameters are the parameters of an algorithm whose published rule has the
// faults named; meaning tells each of them.
func faultParameters(names []string, meaning Text) []Parameter {
	return []Parameter{
		choice("as", asPublished, Text{"the rule as it was published, faults and all, or with every fault corrected; faults overrules it",
			"按发布的规则（包括所有缺陷），或所有缺陷均已修正；若给出 faults 则以其为准"}, asPublished, asCorrected),
		{Name: "faults", Type: TypeNames, Options: names, Meaning: meaning},
	}
}

// faults are those that are switched on, a bit each in the order of their names.
type faults uint32

func (f faults) has(one faults) bool { return f&one != 0 }

// readFaults gives the faults that parameters switch on: those listed where there
// is a list, be it empty; else all of them, or with as "corrected" none.
func readFaults(p Params, names []string) faults {
	list, given := p["faults"].([]string)
	if !given {
		if p["as"] == asCorrected {
			return 0
		}
		return 1<<len(names) - 1
	}
	on := faults(0)
	for i, name := range names {
		for _, listed := range list {
			if listed == name {
				on |= 1 << i
			}
		}
	}
	return on
}
