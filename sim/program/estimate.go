package program

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// Estimate holds what a run of a program needs, computed from the plan alone: upper bounds of its memory in bytes, and
// a lower bound of its events. Work and events have no upper bound here; they are limited while a lane runs, by
// TickEventsMax and its neighbours.
//
// Memory includes the program and what engine.Engine.Bytes returns. It does not include the overhead of the
// Go runtime, which depends on the garbage collector's target.
type Estimate struct {
	// Bytes is the memory of one run at its peak. It consists of the plan, the empty engine that a run keeps as its
	// first checkpoint, and two engines holding all timers: one for the first pass and one for a client that displays
	// the run. Later checkpoints, chunks and the engines that a run keeps near recently viewed ticks are not included;
	// they are caches with limits of their own.
	Bytes int64

	PlanBytes   int64 // memory of the program, which all engines share
	OwnBytes    int64 // maximum memory of the answers of each own wheel, which are part of PlanBytes
	EmptyBytes  int64 // memory of an engine before the first operation: handles and empty slots
	EngineBytes int64 // memory of an engine or a checkpoint, as if all timers were pending at once

	Events int64 // at least this many events occur: two for each scheduling in each lane, the call and the placement or rejection
}

// Estimate returns what a run of the program needs. The first call computes it.
func (p *Program) Estimate() Estimate { return p.estimate() }

// Sizes of the parts of an engine. The tests compare them with what the wheels hold.
const (
	laneBytes   = 64 << 10 // fixed memory of a lane
	handleBytes = 8        // handle of a timer
	timerBytes  = 96       // node, place in a slot and expiry of a timer; what an algorithm needs besides is Algorithm.TimerBytes
	pageBytes   = 1 << 19  // maximum unused memory of a wheel's last page of nodes
	repeatBytes = 32       // interval and runs of a repeating timer
	slotBytes   = 96       // empty slot, and its share of bitmaps
	keptBytes   = 1408     // maximum memory that an emptied slot keeps for reuse
	placedBytes = 64       // maximum part of it for each time that a timer was placed in the slot
)

// computeEstimate computes the result of Estimate from the numbers of operations, timers, slots and lanes.
func (p *Program) computeEstimate() Estimate {
	timers, repeats, runs, within := int64(p.Timers()), int64(0), int64(0), int64(0)
	for i := range p.Ops {
		op := &p.Ops[i]
		if !op.Kind.Arms() {
			continue
		}
		if runs++; op.At <= p.Until {
			within++
		}
		if op.Every > 0 {
			repeats++
			runs += op.runsWithin(p.Until - op.At - op.Delay)
		}
	}
	e := Estimate{PlanBytes: planBytes(p.Scenario, len(p.Ops), len(p.ids)), Events: 2 * within * int64(len(p.Scenario.Lanes))}
	for i := range p.Scenario.Lanes {
		lane := &p.Scenario.Lanes[i]
		a, _ := algorithms.Lookup(lane.Algorithm)
		most, slots, levels := timers, int64(lane.Slots()), int64(1)
		if a.TimersMax > 0 {
			most = min(most, a.TimersMax)
		}
		if a.Grows(lane.Params) { // by levels of as many slots, until ticks of 62 bits fit
			levels = 62/int64(bits.Len64(uint64(slots)/2)) + 1
		}
		empty := laneBytes + handleBytes*(timers+1) + slotBytes*slots
		e.EmptyBytes += empty
		e.EngineBytes += empty + slotBytes*slots*(levels-1) + min(keptBytes*slots*levels, placedBytes*runs*levels) +
			(timerBytes+a.TimerBytes)*most + min(timerBytes*most, pageBytes) + repeatBytes*min(repeats, most)
	}
	for i := range p.Scenario.Lanes {
		if p.Scenario.Lanes[i].Algorithm == recorded.ID {
			e.OwnBytes = recorded.LogBytes(int64(len(p.Ops)) + runs)
			e.PlanBytes += e.OwnBytes
		}
	}
	e.Bytes = e.PlanBytes + e.EmptyBytes + 2*e.EngineBytes
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
