package program

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Estimate holds upper bounds on the resources that a run of a program needs. They are computed from the
// plan and the parameters of the lanes, without building a wheel. Memory is in bytes. A count that exceeds
// the range of int64 is math.MaxInt64.
//
// Memory includes the program and what engine.Engine.Bytes returns. It does not include the overhead of the
// Go runtime, which depends on the garbage collector's target.
type Estimate struct {
	// Bytes is the memory of one run at its peak. It consists of the plan, the empty engine that a run keeps as its
	// first checkpoint, and two engines holding their largest numbers of timers: one for the first pass and one for a
	// client that displays the run. Later checkpoints, chunks and the engines that a run keeps near recently viewed
	// ticks are not included; they are caches with limits of their own.
	Bytes int64

	PlanBytes   int64 // memory of the program, which all engines share
	EmptyBytes  int64 // memory of an engine before the first operation: handles and empty slots
	EngineBytes int64 // memory of an engine or a checkpoint when the number of pending timers is highest

	Events int64 // number of events of all lanes in the whole run
	// Passed is the number of times that lanes examine a timer without emitting an event for it, while searching a
	// list or visiting a slot, summed over all lanes and the whole run.
	Passed     int64
	TickEvents int64 // maximum number of events of any one lane in any one tick
	TickVisits int64 // maximum number of slots that one lane visits in one tick when it catches up after a stall
	TickWork   int64 // maximum number of slots visited and timers touched by one lane in one tick
}

// Estimate returns upper bounds on the resources that a run of the program needs. The first call computes them.
func (p *Program) Estimate() Estimate { return p.estimate() }

// computeEstimate computes the result of Estimate from the bounds of all lanes.
func (p *Program) computeEstimate() Estimate {
	w := p.measure()
	e := Estimate{PlanBytes: planBytes(p.Scenario, len(p.Ops), len(p.ids))}
	for i := range p.Scenario.Lanes {
		m := newLaneModel(&p.Scenario.Lanes[i], w)
		e.EmptyBytes = satAdd(e.EmptyBytes, m.emptyBytes(w))
		e.EngineBytes = satAdd(e.EngineBytes, m.engineBytes(w))
		e.Events, e.Passed = satAdd(e.Events, m.events(w)), satAdd(e.Passed, m.passed(w))
		tick := m.tick(w)
		e.TickEvents, e.TickVisits, e.TickWork = max(e.TickEvents, tick.events), max(e.TickVisits, tick.visits), max(e.TickWork, tick.work)
	}
	e.Bytes = satAdd(satAdd(e.PlanBytes, e.EmptyBytes), satMul(2, e.EngineBytes))
	return e
}

// Sizes of the parts of a plan.
const (
	plannedBytes = int64(unsafe.Sizeof(Planned{}))
	opBytes      = int64(unsafe.Sizeof(scenario.Op{}))
	idBytes      = 4                                 // size in bytes of an element of Program.ids
	stateBytes   = int64(unsafe.Sizeof(nameState{})) // size in bytes of a nameState
	nameBytesMax = 64                                // maximum overhead of a name in bytes, for two string headers and an entry in a map
	fixedBytes   = 64 << 10                          // assumed size in bytes of a scenario without its operations and timers
)

// planBytes returns the memory, in bytes, of a program for scenario s with the given numbers of operations and timers.
func planBytes(s *scenario.Scenario, ops, timers int) int64 {
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

// planningBytes returns the memory, in bytes, that planning scenario s takes if the program has the given numbers of
// operations and timers. The memory consists of the program, a nameState for each name, and the canonical JSON of the
// scenario, which is generated to check its length.
func planningBytes(s *scenario.Scenario, ops, timers int) int64 {
	n := planBytes(s, ops, timers) + int64(timers+len(s.Ops))*stateBytes
	for i := range s.Ops {
		n += opTextBytes + int64(len(s.Ops[i].Timer))
	}
	return n
}

// opTextBytes is the approximate memory, in bytes, that an operation without its name takes in the canonical
// JSON: 96 bytes of text, times 2 because the buffer doubles its capacity as it grows.
const opTextBytes = 2 * 96

// FormatBytes formats a size for display, such as "2.3 GB" or "23 GB".
func FormatBytes(n int64) string {
	size, units := float64(max(n, 0)), []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	for size >= 999.5 {
		size, units = size/1000, units[1:]
	}
	if units[0] != "B" && size < 9.95 {
		return fmt.Sprintf("%.1f %s", size, units[0])
	}
	return fmt.Sprintf("%.0f %s", size, units[0])
}

// TooLargeError reports that a scenario needs more memory than is available.
type TooLargeError struct {
	Need, Available int64 // number of bytes needed, and number of bytes available
	Lanes, Timers   int
}

// NewTooLargeError returns an error for program p, which needs more memory than is available. available is in bytes.
func NewTooLargeError(p *Program, available int64) *TooLargeError {
	return &TooLargeError{p.Estimate().Bytes, available, len(p.Scenario.Lanes), p.Timers()}
}

// Unwrap returns the error as shown to a user.
func (e *TooLargeError) Unwrap() error {
	return texts.Errorf(texts.Unprocessable, "", "the scenario needs about %s (lanes: %d, timers: %d); %s are available: expected fewer lanes, slots or timers",
		FormatBytes(e.Need), e.Lanes, e.Timers, FormatBytes(e.Available))
}

func (e *TooLargeError) Error() string { return e.Unwrap().Error() }

// satAdd returns a + b, or math.MaxInt64 if the sum overflows. a and b must not be negative.
func satAdd(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// satMul returns a · b, or math.MaxInt64 if the product overflows. a and b must not be negative.
func satMul(a, b int64) int64 {
	if a != 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}
