package program

import (
	"fmt"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"math"
)

// nameState is the state of a name according to the workload alone.
type nameState struct {
	until int64  // tick before which the name is in use
	id    uint32 // latest id with the name; 0 means that it was never scheduled
	by    uint32 // position of the operation that assigned id
}

// resolve assigns the ids in order of execution. It checks that each name is free or in use, as its operation
// requires.
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

// liveUntil returns the tick at which the name of the timer becomes free if the timer is not cancelled.
func (op *Planned) liveUntil() int64 {
	if op.Times < 0 {
		return math.MaxInt64
	}
	return op.end()
}

// admit returns an error if op is not allowed in the state of its name. position is the position of op for the error's
// path.
func (p *planner) admit(op *Planned, state *nameState, name uint32, position int) *scenario.InputError {
	switch {
	case op.Kind == scenario.OpSchedule && op.At < state.until:
		free := "for ever, until it is cancelled"
		if state.until < math.MaxInt64 {
			free = fmt.Sprintf("until tick %d", state.until)
		}
		return scenario.Fault(p.timerPath(position), "%s is scheduled at tick %d but live %s by %s; expected a free name, or the operation set or reset",
			scenario.Quote(p.names.text(name)), op.At, free, p.where(int(state.by)))
	case (op.Kind == scenario.OpCancel || op.Kind == scenario.OpReset) && state.id == 0:
		return scenario.Fault(p.timerPath(position), "%s is never scheduled before this %s at tick %d; expected the name of a timer",
			scenario.Quote(p.names.text(name)), op.Kind, op.At)
	}
	return nil
}

// timerPath returns the path of the field that names the timer, for the operation at the given
// position.
func (p *planner) timerPath(position int) string {
	if position < len(p.s.Ops) {
		return p.where(position) + ".timer"
	}
	return p.where(position) + ".prefix"
}
