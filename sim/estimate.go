package sim

import (
	"math"
	"unsafe"

	"github.com/dustin/go-humanize"
	"github.com/wheelscope/wheelscope/internal/say"
)

// Estimate is what a run of a program needs at most, computed from the plan and
// the lanes' parameters without building a wheel. Memory is in bytes. Counts that
// exceed an int64 are math.MaxInt64.
//
// The figures are upper bounds of what the wheels hold by their own count
// (Lane.bytes); they do not include what the Go runtime adds, which is up to the
// garbage collector's target.
type Estimate struct {
	// Bytes is the memory of one run at its peak: the plan, the empty engine at the
	// beginning of the run, and two engines at their fullest, one for the first pass and
	// one for a client that looks at the run. Checkpoints, chunks and warm engines are
	// not included: they are caches with bounds of their own.
	Bytes int64

	PlanBytes   int64 // the program itself, once for all engines
	EmptyBytes  int64 // an engine at tick 0, before any operation: handles and empty slots
	EngineBytes int64 // an engine of all lanes when most timers are live; a checkpoint holds at most as much

	Events     int64 // of the whole run, all lanes
	TickEvents int64 // of one lane in one tick
	TickVisits int64 // of slots that come round again, by one lane in one tick, when it catches up after a stall
	TickWork   int64 // slots visited and timers touched by one lane in one tick
}

// Estimate returns what a run of the program needs at most. It is computed once.
func (p *Program) Estimate() Estimate { return p.estimate() }

// computeEstimate adds up the bounds of all lanes.
func (p *Program) computeEstimate() Estimate {
	w := p.measure()
	e := Estimate{PlanBytes: planBytes(p.Scenario, len(p.Ops), len(p.ids))}
	for i := range p.Scenario.Lanes {
		m := newLaneModel(&p.Scenario.Lanes[i], w)
		e.EmptyBytes = satAdd(e.EmptyBytes, m.emptyBytes(w))
		e.EngineBytes = satAdd(e.EngineBytes, m.engineBytes(w))
		e.Events = satAdd(e.Events, m.events(w))
		tick := m.tick(w)
		e.TickEvents, e.TickVisits, e.TickWork = max(e.TickEvents, tick.events), max(e.TickVisits, tick.visits), max(e.TickWork, tick.work)
	}
	e.Bytes = satAdd(satAdd(e.PlanBytes, e.EmptyBytes), satMul(2, e.EngineBytes))
	return e
}

// Sizes of what a plan consists of.
const (
	plannedBytes = int64(unsafe.Sizeof(Planned{}))
	opBytes      = int64(unsafe.Sizeof(Op{}))
	idBytes      = 4                                 // of Program.ids
	stateBytes   = int64(unsafe.Sizeof(nameState{})) // of a name, while a plan is made
	nameBytesMax = 64                                // of a written name beside its text: two string headers and a map entry
	fixedBytes   = 64 << 10                          // of a scenario beside its operations and timers
)

// planBytes is the memory of a program with so many planned operations and timers.
func planBytes(s *Scenario, ops, timers int) int64 {
	n := int64(fixedBytes) + int64(ops)*plannedBytes + int64(timers)*idBytes
	for i := range s.Ops {
		n += opBytes + int64(len(s.Ops[i].Timer)) + nameBytesMax
	}
	for i := range s.Generate {
		g := &s.Generate[i]
		n += int64(len(g.Delay.Values)+len(g.Arrivals.Values)) * 64
	}
	return n
}

// planningBytes is the memory that making a plan takes: the program, a state for each
// name, and the canonical text of the scenario, which is written to check its length.
func planningBytes(s *Scenario, ops, timers int) int64 {
	n := planBytes(s, ops, timers) + int64(timers+len(s.Ops))*stateBytes
	for i := range s.Ops {
		n += opTextBytes + int64(len(s.Ops[i].Timer))
	}
	return n
}

// opTextBytes is about the length of a written operation in JSON beside its name.
const opTextBytes = 2 * 96 // the buffer doubles as it grows

// FormatBytes writes a size as people read it: "2.3 GB".
func FormatBytes(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }

// TooLargeError is the refusal of a scenario that needs more memory than there is.
type TooLargeError struct {
	Need, Available int64 // bytes
	Lanes, Timers   int
}

// NewTooLargeError describes the program p, for which only so many bytes are
// available.
func NewTooLargeError(p *Program, available int64) *TooLargeError {
	return &TooLargeError{p.Estimate().Bytes, available, len(p.Scenario.Lanes), p.Timers()}
}

// Message is the error as one line in the user's language.
func (e *TooLargeError) Message() say.Message {
	return say.Of("the scenario needs about %s (lanes: %d, timers: %d); %s are available: expected fewer lanes, slots or timers",
		FormatBytes(e.Need), e.Lanes, e.Timers, FormatBytes(e.Available))
}

func (e *TooLargeError) Error() string { return e.Message().String() }

// satAdd adds two counts, 0 or more; past an int64 the sum is math.MaxInt64.
func satAdd(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// satMul multiplies two counts, 0 or more; past an int64 the product is
// math.MaxInt64.
func satMul(a, b int64) int64 {
	if a != 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}
