package program

import (
	"math"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// nameState is the state of a timer name during planning. It does not depend on the lanes.
type nameState struct {
	until int64  // first tick at which the name is no longer in use
	id    uint32 // ID of the last timer with the name; 0 means that there is none yet
	by    uint32 // index, before sorting, of the operation that scheduled timer id
}

// resolve assigns IDs to timers in the order of execution. It returns an error if an operation schedules a
// timer under a name that is in use, or cancels or resets a timer that has not been scheduled.
func (p *planner) resolve() *scenario.InputError {
	states := make([]nameState, p.names.size())
	p.ids = make([]uint32, 0, p.timers)
	for i := range p.ops {
		if p.pause() {
			return nil
		}
		op := &p.ops[i]
		name, position := op.Target, op.ID
		op.Target, op.ID = 0, 0
		if !op.Kind.Named() {
			continue
		}
		state := &states[name]
		if err := p.admit(op, state, name, int(position)); err != nil {
			return err
		}
		if op.Kind != scenario.OpSchedule {
			op.Target = state.id
		}
		state.until = 0
		if op.Kind.Arms() {
			p.ids = append(p.ids, name)
			op.ID = uint32(len(p.ids))
			*state = nameState{op.liveUntil(), op.ID, position}
		}
	}
	return nil
}

// liveUntil returns the first tick at which the name of op's timer can be reused, provided that the timer is not
// cancelled.
func (op *Planned) liveUntil() int64 {
	if op.Times < 0 {
		return math.MaxInt64
	}
	return op.end()
}

// admit returns an error if op schedules a timer under a name that is in use, or cancels or resets a timer under a
// name that has not been used. state is the current state of the name, and name is its number. position is the
// index of op before sorting.
func (p *planner) admit(op *Planned, state *nameState, name uint32, position int) *scenario.InputError {
	switch {
	case op.Kind == scenario.OpSchedule && op.At < state.until:
		free := texts.Newf("for ever, until it is cancelled")
		if state.until < math.MaxInt64 {
			free = texts.Newf("until tick %d", state.until)
		}
		return scenario.Fault(p.timerPath(position), "%s is scheduled at tick %d but live %s by %s; expected a free name, or the operation set or reset",
			scenario.Quote(p.names.text(name)), op.At, free, p.where(int(state.by)))
	case (op.Kind == scenario.OpCancel || op.Kind == scenario.OpReset) && state.id == 0:
		return scenario.Fault(p.timerPath(position), "%s is never scheduled before this %s at tick %d; expected the name of a timer",
			scenario.Quote(p.names.text(name)), op.Kind, op.At)
	}
	return nil
}

// timerPath returns the path, for error messages, of the field that contains the timer name of an operation or
// the prefix of a generated name. position is the index of the operation before sorting.
func (p *planner) timerPath(position int) string {
	if position < len(p.s.Ops) {
		return p.where(position) + ".timer"
	}
	return p.where(position) + ".prefix"
}
