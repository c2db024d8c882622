package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// request decodes the fields of c, a command from viewer k, and returns a request that executes it on the
// session's goroutine.
func (s *Session) request(c *protocol.Command, k *Viewer) (cursor.Request, error) {
	var v mergedCommand
	m := &mergeable{s: s, do: c.Do}
	var err error
	switch c.Do {
	case "state":
		m.do, m.states, v.state = "", true, true
	case "step":
		m.step, err = s.step(c)
	case "seek":
		v.act, err = s.seek(c)
	case "find":
		v.act, err = s.find(c)
	case "events":
		return s.events(c, k)
	default:
		act, err := s.action(c, k)
		if err != nil {
			return nil, err
		}
		return single{newReply(k, c.ID), act}, nil
	}
	if err != nil {
		return nil, err
	}
	v.reply = newReply(k, c.ID)
	m.commands = []mergedCommand{v}
	return m, nil
}

// action decodes the fields of a command from viewer k that cannot be merged with others, and returns the function that
// executes it.
func (s *Session) action(c *protocol.Command, k *Viewer) (func() error, error) {
	switch c.Do {
	case "play":
		return s.play(c)
	case "pause":
		return func() error { s.runner.Pause(); return nil }, nil
	case "speed":
		rate, err := c.Number("rate")
		return func() error { return s.runner.SetRate(rate) }, err
	case "op":
		return s.inContext(s.inRun(c, func(ctx context.Context) error { return s.operate(ctx, c) })), nil
	case "load":
		return s.inContext(s.load(c)), nil
	case "preview":
		act, err := s.preview(c, k)
		return s.inContext(act), err
	}
	act, err := s.editLanes(c)
	return s.inContext(s.inRun(c, act)), err
}

// inContext returns a function that executes a command by calling act with the context of the runner, which expires
// when the command times out.
func (s *Session) inContext(act func(context.Context) error) func() error {
	return func() error { return act(s.runner.Context()) }
}

// inRun returns a function that calls act unless the command c names another run than the current one.
func (s *Session) inRun(c *protocol.Command, act func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := s.sameRun(c); err != nil {
			return err
		}
		return act(ctx)
	}
}

// play decodes a play command and returns the function that executes it.
func (s *Session) play(c *protocol.Command) (func() error, error) {
	if !c.Has("rate") {
		return s.runner.Play, nil
	}
	rate, err := c.Number("rate")
	return func() error {
		if err := s.runner.SetRate(rate); err != nil {
			return err
		}
		return s.runner.Play()
	}, err
}

// stepKinds maps the values of the "by" field of a step command to the units of package cursor.
var stepKinds = map[string]cursor.By{"tick": cursor.ByTick, "step": cursor.ByStep, "event": cursor.ByEvent}

// step decodes a step command and returns the unit and the direction of the step.
func (s *Session) step(c *protocol.Command) (size stepSize, err error) {
	word, err := c.Text("by")
	if err != nil {
		return size, err
	}
	var ok bool
	if size.by, ok = stepKinds[word]; !ok {
		return size, texts.Errorf(texts.Invalid, "by", "%q is not one of %s", texts.Clip(word), "tick, step, event")
	}
	size.n, err = direction(c)
	return size, err
}

// seek decodes a seek command and returns the function that executes it.
func (s *Session) seek(c *protocol.Command) (func() error, error) {
	const most = int64(wheel.TickMax)
	switch {
	case c.Has("tick") && c.Has("seq"):
		return nil, texts.Errorf(texts.Invalid, "seq", "given beside %s; expected one of them", "tick")
	case c.Has("tick"):
		tick, err := c.Integer("tick", 0, most)
		return func() error { return s.runner.Seek(sim.EndOf(tick)) }, err
	case c.Has("seq"):
		seq, err := c.Integer("seq", 0, most)
		return func() error { return s.runner.Seek(sim.After(seq)) }, err
	}
	return func() error { return s.runner.Seek(sim.Start) }, nil
}

// operate executes an "op" command: it adds the operation to the scenario, at the tick that c names or at that of the
// cursor, and opens the edited scenario at the end of that tick.
func (s *Session) operate(ctx context.Context, c *protocol.Command) error {
	at := s.runner.Position().Tick
	if c.Has("tick") {
		tick, err := c.Integer("tick", 0, s.run.Program().Until)
		if err != nil {
			return err
		}
		at = tick
	}
	sc := s.run.Program().Scenario
	op, err := sc.DecodeOp(c.Object("run", "tick"), at)
	if err != nil {
		return err
	}
	if !op.Kind.Named() {
		return texts.Errorf(texts.Invalid, "op", "%q is not one of %s", op.Kind.String(), "schedule, set, cancel, reset")
	}
	return s.fork(ctx, sc.WithOp(op), at, fmt.Sprintf("workload.ops[%d]", len(sc.Ops)))
}

// fork opens edited, an edited version of the current scenario, and moves the cursor to the end of the given tick.
// path is the path of the edited object in the scenario, such as "lanes[1]"; in an error about a field of that object,
// the path of the field is relative to the object. If the context wait is done before the edited scenario is open,
// fork returns an error. If it returns an error, the session is unchanged.
func (s *Session) fork(wait context.Context, edited *scenario.Scenario, tick int64, path string) error {
	return s.openForked(wait, func(o program.Options) (*program.Program, int64, error) {
		p, err := program.PlanWith(edited, o)
		var input *scenario.InputError
		if errors.As(err, &input) {
			return nil, 0, input.Under(path)
		}
		return p, tick, err
	})
}

// openForked calls plan, which returns a program and a tick, opens the run of the program, and moves the cursor to the
// end of the tick. If the program's scenario is an edited version of the current one, the new run reuses the current
// run up to the first difference. If the context wait is done before the run is open, openForked returns an error. If
// it returns an error, the session is unchanged.
func (s *Session) openForked(wait context.Context, plan func(program.Options) (*program.Program, int64, error)) error {
	ctx, leave, err := s.library.Store.Queue().Enter(wait)
	if err != nil {
		return err
	}
	defer leave()
	o, release := s.library.Store.Planning(ctx)
	defer release()
	p, tick, err := plan(o)
	if err != nil {
		return err
	}
	run, err := s.library.Store.Fork(ctx, s.run, p)
	if err != nil {
		return err
	}
	leave() // the session waits for the run without holding a turn
	return s.open(wait, run, sim.EndOf(min(tick, p.Until)))
}
