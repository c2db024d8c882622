package program

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"sync"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// Program is a planned scenario: all operations in the order of execution, with the IDs of their timers. A
// Program is immutable and safe for concurrent use.
type Program struct {
	Scenario *scenario.Scenario // the scenario with all defaults filled in
	Start    int64              // absolute tick at which the lanes are created
	Until    int64              // last tick, relative to Start
	Ops      []Planned          // operations in order of execution
	// Stalls lists the ranges of ticks in which no lane advances, in ascending order. Adjacent and
	// overlapping stalls are merged. Both ends are inclusive and relative to Start.
	Stalls [][2]int64

	names  *nameTable
	ids    []uint32      // for each timer, the number of its name in names; the entry for timer id is at index id-1
	digest func() string // returns the result of Digest, computing it on the first call
	// estimate returns the result of Estimate, computing it on the first call.
	estimate func() Estimate
	answers  *answers
}

// answers holds the answers of the own wheels of a program, by lane.
type answers struct {
	mu   sync.Mutex
	logs map[int]*recorded.Log
}

// Recorded returns the answers of the own wheel of a lane. If there are none yet, it keeps and returns those that record
// returns; record may be nil. Other callers wait for it.
func (p *Program) Recorded(lane int, record func() (*recorded.Log, error)) (*recorded.Log, error) {
	p.answers.mu.Lock()
	defer p.answers.mu.Unlock()
	if log := p.answers.logs[lane]; log != nil || record == nil {
		return log, nil
	}
	log, err := record()
	if err == nil {
		p.answers.logs[lane] = log
	}
	return log, err
}

// Name returns the name of timer id, which must be between 1 and p.Timers(). For a generated timer, it
// allocates memory for the name.
func (p *Program) Name(id uint32) string { return p.names.text(p.ids[id-1]) }

// Named returns a function that reports whether the timer with the given ID has the given name. ok is false if
// the workload does not contain the name.
func (p *Program) Named(name string) (is func(id uint32) bool, ok bool) {
	n, ok := p.names.lookup(name)
	return func(id uint32) bool { return id > 0 && p.ids[id-1] == n }, ok
}

// Timers returns the number of timers. Their IDs are 1, 2, …
func (p *Program) Timers() int { return len(p.ids) }

// Repeats reports whether the workload has a repeating timer.
func (p *Program) Repeats() bool {
	return slices.ContainsFunc(p.Ops, func(o Planned) bool { return o.Every > 0 })
}

// Digest returns the SHA-256 digest of the scenario's canonical JSON, in hexadecimal. Programs with the
// same digest have the same run.
func (p *Program) Digest() string { return p.digest() }

// Load decodes data, the content of a scenario file, and plans the scenario as Plan does. The error is a
// *scenario.InputError.
func Load(data []byte) (*Program, error) { return LoadWith(data, Options{}) }

// LoadWith is like Load, with options. The error can also be one that a function in o returned.
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

// Plan checks scenario s as a whole, fills in its defaults and plans its workload. It does not modify s.
// The error is a *scenario.InputError.
func Plan(s *scenario.Scenario) (*Program, error) { return PlanWith(s, Options{}) }

// PlanWith is like Plan, with options that limit memory and processor time. The error can also be
// one that a function in o returned.
func PlanWith(s *scenario.Scenario, o Options) (*Program, error) {
	p := planner{s: s.Clone(), opts: o}
	if err := p.plan(); err != nil {
		return nil, err
	}
	program := &Program{Scenario: p.s, Start: p.s.Start, Until: p.s.Until, Ops: p.ops,
		Stalls: mergeStalls(p.s.Ops, p.s.Until), names: p.names, ids: p.ids, answers: &answers{logs: map[int]*recorded.Log{}}}
	text := program.Scenario.AppendJSON(nil)
	if len(text) > o.Bytes() { // its trace could not be read
		return nil, scenario.Fault("", "%d bytes with all defaults written out; expected a scenario of at most %d", len(text), o.Bytes())
	}
	program.digest = program.digestOf()
	if err := o.check(); err != nil {
		return nil, err
	}
	program.estimate = sync.OnceValue(program.computeEstimate)
	return program, nil
}

// WithLanes returns a program with the same operations, last tick and stalls as p, and other lanes. It plans no operations
// again. The error is a *scenario.InputError.
func (p *Program) WithLanes(lanes ...scenario.LaneSpec) (*Program, error) {
	s := *p.Scenario
	s.Lanes = lanes
	c := planner{s: s.Clone()}
	for _, step := range []func() *scenario.InputError{c.head, c.lanes} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	q := *p
	q.Scenario, q.answers = c.s, &answers{logs: map[int]*recorded.Log{}}
	q.digest = q.digestOf()
	q.estimate = sync.OnceValue(q.computeEstimate)
	return &q, nil
}

// digestOf returns a function that computes the result of Digest on its first call.
func (p *Program) digestOf() func() string {
	s := p.Scenario
	return sync.OnceValue(func() string {
		sum := sha256.Sum256(s.AppendJSON(nil))
		return hex.EncodeToString(sum[:])
	})
}

// mergeStalls returns the ranges of ticks, up to until, in which no lane advances. Adjacent and overlapping
// stalls are merged into one range. A stall of n ticks at tick t covers the ticks t+1 to t+n−1.
func mergeStalls(ops []scenario.Op, until int64) [][2]int64 {
	var list [][2]int64
	for i := range ops {
		if from, to := ops[i].At+1, min(ops[i].At+ops[i].Amount-1, until); ops[i].Kind == scenario.OpStall && from <= to {
			list = append(list, [2]int64{from, to})
		}
	}
	slices.SortFunc(list, func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
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
