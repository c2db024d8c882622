package program

import (
	"cmp"
	"slices"
	"sort"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// Planned is an operation of the workload, with the IDs of its timers. Ticks are relative to the scenario's start.
type Planned struct {
	At      int64  // tick at which the operation is executed, relative to the scenario's start
	Delay   int64  // delay of a timer, length of a stall, or change of the wall clock, in ticks
	Every   int64  // interval of a repeating timer in ticks; 0 means that it does not repeat
	Created int64  // tick of the timer's creation, relative to the scenario's start; valid only if HasCreated is true
	Times   int32  // number of runs of a repeating timer; negative means that it repeats forever
	ID      uint32 // ID of the timer that the operation schedules; 0 means none
	// Target is the ID of the timer that a cancel, set or reset operation refers to: the timer most recently
	// scheduled under the name in the operation. It is 0 if there is none, and for other kinds of operations.
	Target     uint32
	Kind       scenario.OpKind
	HasCreated bool // whether Created is given; otherwise the timer is created when it is scheduled
}

// planner plans a scenario. Its plan method calls the planning steps in order.
type planner struct {
	s      *scenario.Scenario
	tick   int64 // length of a base tick, in ns
	timers int   // upper bound on the number of timer IDs
	ops    []Planned
	names  *nameTable
	ids    []uint32 // for each timer, the number of its name in names; the entry for timer id is at index id-1
	ends   []int    // for each group of workload.generate, the length of ops after its operations were appended

	opts   Options
	paused int   // number of calls to planner.pause since the last call to Options.Check
	err    error // error returned by Options.Reserve or Options.Check; if it is set, planning ends
}

func (p *planner) plan() error {
	for _, step := range []func() *scenario.InputError{p.head, p.lanes, p.size, p.written, p.generated, p.until, p.order, p.resolve} {
		if err := step(); err != nil {
			return err
		}
		if p.err != nil {
			return p.err
		}
	}
	return nil
}

// head checks the fields of the scenario that precede the lanes, and sets p.tick.
func (p *planner) head() *scenario.InputError {
	tick, err := scenario.ParseTick(p.s.Tick)
	if err != nil {
		return scenario.Fault("tick", "%s is not %s, more than 0", scenario.Quote(p.s.Tick), scenario.WantDuration)
	}
	p.tick = tick
	if p.s.Start < 0 || p.s.Start > wheel.TickMax {
		return scenario.Fault("start", "%d is not %s", p.s.Start, scenario.Between(0, wheel.TickMax))
	}
	return scenario.CheckTexts(p.s)
}

// lanes checks all lanes of the scenario and fills in the defaults of their parameters.
func (p *planner) lanes() *scenario.InputError {
	if n := len(p.s.Lanes); n < 1 || n > scenario.LanesMax {
		return scenario.Fault("lanes", "%d lanes; expected 1 to %d", n, scenario.LanesMax)
	}
	first := map[string]int{}
	slots := 0
	for i, lane := range p.s.Lanes {
		path := scenario.PathAt("lanes", i)
		if other, taken := first[lane.ID]; taken {
			return scenario.Fault(path+".id", "%s is the id of lanes[%d] too; expected an id of its own", scenario.Quote(lane.ID), other)
		}
		first[lane.ID] = i
		filled, err := scenario.CheckLane(lane, path, p.s.Start, p.tick)
		if err != nil {
			return err
		}
		if slots += filled.Slots(); slots > scenario.SlotsMax {
			return scenario.Fault(path, "%d slots in the lanes up to this one; expected at most %d", slots, scenario.SlotsMax)
		}
		p.s.Lanes[i] = filled
	}
	return nil
}

// size checks the size of the workload, then reserves and allocates the memory for the plan.
func (p *planner) size() *scenario.InputError {
	if n := len(p.s.Ops); n > scenario.OpsMax {
		return scenario.Fault("workload.ops", "%d operations; expected at most %d", n, scenario.OpsMax)
	}
	if n := len(p.s.Generate); n > scenario.GroupsMax {
		return scenario.Fault("workload.generate", "%d groups; expected at most %d", n, scenario.GroupsMax)
	}
	ops, timers := len(p.s.Ops), 0
	for i := range p.s.Ops {
		if p.s.Ops[i].Kind.Arms() {
			timers++
		}
	}
	for i := range p.s.Generate {
		g := &p.s.Generate[i]
		if err := scenario.CheckGroup(g, scenario.PathAt("workload.generate", i)); err != nil {
			return err
		}
		timers += g.Count
		ops += g.Count
		if g.Cancel != nil {
			ops += g.Count
		}
	}
	if timers > scenario.TimersMax {
		return scenario.Fault("workload", "%d timers, written and generated; expected at most %d", timers, scenario.TimersMax)
	}
	resets, err := p.resets(scenario.TimersMax - timers)
	if err != nil || p.err != nil {
		return err
	}
	ops, timers = ops+resets, timers+resets
	if p.err = p.opts.reserve(planningBytes(p.s, ops, timers)); p.err != nil {
		return nil
	}
	p.timers = timers
	p.names = newNameTable(p.s.Generate)
	p.ops = make([]Planned, 0, ops)
	return nil
}

// resets returns the number of resets of all groups. Each counts as a timer, because it schedules one; resets returns an
// error if there are more than most.
func (p *planner) resets(most int) (n int, err *scenario.InputError) {
	for i := range p.s.Generate {
		g := &p.s.Generate[i]
		if g.Reset == nil || g.Count == 0 {
			continue
		}
		if g.Repeat.Times < 0 && p.s.Until < 0 {
			return 0, missingUntil()
		}
		if n += countResets(g, p.tick, p.s.Until, most-n, p.pause); n > most {
			return 0, scenario.Fault(scenario.PathAt("workload.generate", i)+".reset", "with these resets there are more than %d timers, written and generated", scenario.TimersMax)
		}
	}
	return n, nil
}

func missingUntil() *scenario.InputError {
	return scenario.Fault("until", "missing; expected the last tick, since a timer repeats for ever")
}

// written checks the operations listed in the file and appends them to the plan, in file order. The IDs of timers
// are not yet known: the Target of an operation is the number of the timer's name in the nameTable until
// planner.resolve replaces it.
func (p *planner) written() *scenario.InputError {
	for i := range p.s.Ops {
		op := &p.s.Ops[i]
		if err := scenario.CheckOp(op, "", p.s.Start); err != nil {
			err.Path = scenario.OpPath(i) + err.Path
			return err
		}
		planned := Planned{At: op.At, Delay: op.Delay, Every: op.Every, Created: op.Created, Times: op.Times, Kind: op.Kind, HasCreated: op.HasCreated()}
		if op.Kind.Named() {
			planned.Target = p.names.key(op.Timer)
		} else {
			planned.Delay = op.Amount
		}
		p.ops = append(p.ops, planned)
		if p.pause() {
			return nil
		}
	}
	return nil
}

// generated generates the operations of all groups, the entries of workload.generate, and appends them to the plan.
func (p *planner) generated() *scenario.InputError {
	for i := range p.s.Generate {
		g := &p.s.Generate[i]
		from := len(p.ops)
		p.ops = planGroup(g, p.ops, p.names.base[i], p.tick, p.s.Until, p.pause)
		if p.err != nil {
			return nil
		}
		for j := from; j < len(p.ops); j++ {
			if op := &p.ops[j]; op.At > wheel.TickMax-p.s.Start || op.Kind.Arms() && !scenario.DuesFit(p.s.Start, op.At, op.Delay, op.Every, op.Times) {
				return scenario.Fault(scenario.PathAt("workload.generate", i), "timer %s is past tick %d: ticks must fit 62 bits", scenario.Quote(p.names.text(op.Target)), wheel.TickMax)
			}
		}
		if p.names.shared[i] {
			p.names.unify(p.ops[from:], p.pause)
		}
		p.ends = append(p.ends, len(p.ops))
	}
	return nil
}

// until checks Scenario.Until. If the field is negative because the file omits it, until first sets it to the last tick
// at which an operation is executed or a timer is due, plus Scenario.Rest; this fails if a timer repeats forever. until
// also returns the errors of p.bounds.
func (p *planner) until() *scenario.InputError {
	last, endless, by := int64(0), int64(0), 0
	for i := range p.ops {
		op := &p.ops[i]
		last = max(last, op.At, op.end())
		if op.Times < 0 && op.Every > endless {
			endless, by = op.Every, i
		}
	}
	switch {
	case p.s.Until < 0 && endless > 0:
		return missingUntil()
	case p.s.Until < 0:
		p.s.Until = last + p.s.Rest()
	}
	room := wheel.TickMax - p.s.Start
	if most := room - p.s.Until; most > 0 && endless > room {
		return scenario.Fault(p.where(by)+".every", "%d is too large; expected at most %d: start + until + every must fit 62 bits", endless, most)
	}
	if p.s.Until > room-endless {
		return scenario.Fault("until", "%d is too large; expected at most %d: start + until + every must fit 62 bits", p.s.Until, max(0, room-endless))
	}
	for i := range p.s.Ops {
		if at := p.s.Ops[i].At; at > p.s.Until {
			return scenario.Fault(scenario.OpPath(i)+".at", "%d is not a tick between 0 and %d (until)", at, p.s.Until)
		}
	}
	return p.bounds()
}

// bounds returns an error if more than RunsAtOnceMax runs of one repeating timer can be due in one tick, or more than
// ExpiriesMax runs of all repeating timers up to the end of the scenario.
func (p *planner) bounds() *scenario.InputError {
	total := int64(0)
	catchUp := p.catchUp()
	for i := range p.ops {
		op := &p.ops[i]
		if op.Every == 0 {
			continue
		}
		if n := op.runsWithin(catchUp(op.Delay)); n > RunsAtOnceMax {
			return scenario.Fault(p.where(i)+".every", "with %d ticks, %d runs are due at once; expected at most %d", op.Every, n, RunsAtOnceMax)
		}
		if total += op.runsWithin(p.s.Until - op.At - op.Delay); total > ExpiriesMax {
			return scenario.Fault(p.where(i)+".every", "%d ticks are too few: expected at most %d runs of all timers up to tick %d", op.Every, ExpiriesMax, p.s.Until)
		}
	}
	return nil
}

// order sorts the operations by tick. Operations at the same tick keep the order in which they were appended:
// those written in the file, then those of each group of workload.generate. order sets the ID field of each operation
// to the index that the operation had before sorting; planner.resolve replaces these values.
func (p *planner) order() *scenario.InputError {
	for i := range p.ops {
		p.ops[i].ID = uint32(i)
	}
	slices.SortFunc(p.ops, func(a, b Planned) int {
		if p.pause() {
			return 0 // planning has ended, so the order does not matter and sorting ends soon
		}
		if c := cmp.Compare(a.At, b.At); c != 0 {
			return c
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return nil
}

// where returns a path for error messages about an operation: the path of the operation in the scenario or, if
// it is generated, the path of its group in workload.generate. position is the index of the operation before sorting.
func (p *planner) where(position int) string {
	if position < len(p.s.Ops) {
		return scenario.OpPath(position)
	}
	return scenario.PathAt("workload.generate", sort.SearchInts(p.ends, position+1))
}

// end returns the due tick of the last run of op's timer or, if the timer repeats forever, of its first run. If op
// does not schedule a timer, end returns the tick of op. Ticks are relative to the scenario's start.
func (op *Planned) end() int64 {
	if !op.Kind.Arms() {
		return op.At
	}
	return scenario.LastDue(op.At, op.Delay, op.Every, op.Times)
}

// runsWithin returns the number of runs of op's timer, a repeating one, that are due from the due tick of its first run
// to d ticks later. The first run is included. If d is negative, the result is 0.
func (op *Planned) runsWithin(d int64) int64 {
	if d < 0 {
		return 0
	}
	n := d/op.Every + 1
	if op.Times > 0 {
		n = min(n, int64(op.Times))
	}
	return n
}

// catchUp returns a function that computes, for a repeating timer with the given delay, an upper bound on the number of
// ticks by which the first run can be late in any lane. The bound is the width of a slot. It is greater by -delay if
// delay is negative, because the timer is then due before it is scheduled. It is at least delay if the wheel of a lane
// does not move every timer down to level 0 before it fires.
func (p *planner) catchUp() func(delay int64) int64 {
	width, coarse := p.s.Rest()/2, false
	for i := range p.s.Lanes {
		migration, ok := p.s.Lanes[i].Params["migration"].(string)
		coarse = coarse || ok && migration != "full"
	}
	return func(delay int64) int64 {
		late := max(-delay, 0) + width
		if coarse {
			late = max(late, delay)
		}
		return late
	}
}
