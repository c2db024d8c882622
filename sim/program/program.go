package program

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"slices"
	"sync"
)

// Program is a scenario with its workload planned: every operation in the order of execution with
// its ids resolved. It is immutable and safe for concurrent use.
type Program struct {
	Scenario *scenario.Scenario // with every default filled in
	Start    int64              // absolute tick at which the lanes are created
	Until    int64              // last tick, relative to Start
	Ops      []Planned          // in order of execution
	// Standing lists the ranges of ticks at which no lane advances: the stalls, merged.
	// Both ends are included and relative to Start.
	Standing [][2]int64

	names  *nameTable
	ids    []uint32 // by id − 1: the number of the name
	digest func() string
	// estimate returns the Estimate, which the first call computes.
	estimate func() Estimate
}

// Name returns the name of the timer with an id from 1 to Timers. It allocates for a generated
// timer.
func (p *Program) Name(id uint32) string { return p.names.text(p.ids[id-1]) }

// Named returns a function that reports whether an id is that of a timer of the given name, and
// whether the program has such a timer.
func (p *Program) Named(name string) (is func(id uint32) bool, ok bool) {
	n, ok := p.names.lookup(name)
	return func(id uint32) bool { return id > 0 && p.ids[id-1] == n }, ok
}

// Timers returns the number of ids. They are 1, 2, …
func (p *Program) Timers() int { return len(p.ids) }

// Repeats reports whether a timer of the workload runs more than once.
func (p *Program) Repeats() bool {
	return slices.ContainsFunc(p.Ops, func(o Planned) bool { return o.Every > 0 })
}

// Digest returns the SHA-256 of the scenario's canonical JSON, in hexadecimal. Programs with the
// same digest have the same run.
func (p *Program) Digest() string { return p.digest() }

// Load reads a scenario, checks it, fills in its defaults and plans its
// workload. The error is an *InputError.
func Load(data []byte) (*Program, error) { return LoadWith(data, Options{}) }

// LoadWith is like Load but with options. It also returns the errors of the functions of o.
func LoadWith(data []byte, o Options) (*Program, error) {
	s, err := scenario.Decode(data, scenario.DecodeOptions{Check: o.Check, BytesMax: o.BytesMax})
	if err != nil {
		return nil, err
	}
	p, err := PlanWith(s, o)
	if input, ok := errors.AsType[*scenario.InputError](err); ok && input.Path != "" && input.Line == 0 {
		input.Line = scenario.LineOf(data, input.Path) // Plan does not see the text
	}
	return p, err
}

// Plan checks a scenario as a whole, fills in its defaults and plans its workload. s is not
// changed. The error is an *InputError.
func Plan(s *scenario.Scenario) (*Program, error) { return PlanWith(s, Options{}) }

// PlanWith is like Plan for a caller that limits memory and CPU time. Besides an *InputError it
// returns the errors of the functions of o unchanged.
func PlanWith(s *scenario.Scenario, o Options) (*Program, error) {
	p := planner{s: s.Clone(), opts: o}
	if err := p.plan(); err != nil {
		return nil, err
	}
	program := &Program{Scenario: p.s, Start: p.s.Start, Until: p.s.Until, Ops: p.ops,
		Standing: standing(p.s.Ops, p.s.Until), names: p.names, ids: p.ids}
	text := program.Scenario.AppendJSON(nil)
	if len(text) > o.Bytes() { // its trace could not be read
		return nil, scenario.Fault("", "%d bytes, with all defaults written out, are not a scenario of at most %d", len(text), o.Bytes())
	}
	program.digest = sync.OnceValue(func() string {
		sum := sha256.Sum256(program.Scenario.AppendJSON(nil))
		return hex.EncodeToString(sum[:])
	})
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := program.checkTicks(); err != nil {
		return nil, err
	}
	program.estimate = sync.OnceValue(program.computeEstimate)
	return program, nil
}

// standing merges the stalls into ranges of ticks without an advance. A stall at tick a for f ticks
// covers the ticks a+1 … a+f−1, or fewer if until is before its end.
func standing(ops []scenario.Op, until int64) [][2]int64 {
	var list [][2]int64
	for i := range ops {
		if from, to := ops[i].At+1, min(ops[i].At+ops[i].Amount-1, until); ops[i].Kind == scenario.OpStall && from <= to {
			list = append(list, [2]int64{from, to})
		}
	}
	slices.SortFunc(list, func(a, b [2]int64) int { return cmpPair(a, b) })
	merged := list[:0]
	for _, s := range list {
		if last := len(merged) - 1; last >= 0 && s[0] <= merged[last][1]+1 {
			merged[last][1] = max(merged[last][1], s[1])
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

func cmpPair(a, b [2]int64) int { return slices.Compare(a[:], b[:]) }
