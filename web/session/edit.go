package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// The commands that open another run: an operation or a lane is added or changed, or another scenario is loaded.

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

// editLanes decodes a lane command and returns the function that executes it. Lanes are looked up only when that
// function is called, because an earlier command may still change them.
func (s *Session) editLanes(c *protocol.Command) (func(context.Context) error, error) {
	ways := 0
	for _, way := range [...]string{"add", "remove", "replace", "move"} {
		if c.Has(way) {
			ways++
		}
	}
	if ways != 1 {
		return nil, texts.Errorf(texts.Invalid, "", "lane needs one of %s", "add, remove, replace, move")
	}
	switch {
	case c.Has("replace") && !c.Has("with"):
		return nil, texts.Errorf(texts.Invalid, "with", "missing; expected %s", "a lane object beside replace")
	case c.Has("with") && !c.Has("replace"):
		return nil, texts.Errorf(texts.Invalid, "with", "belongs to %s only", "replace")
	case c.Has("to") && !c.Has("move"):
		return nil, texts.Errorf(texts.Invalid, "to", "belongs to %s only", "move")
	case c.Has("move"):
		return s.moveLane(c)
	case c.Has("add"):
		return func(ctx context.Context) error { return s.addLane(ctx, c.Fields["add"]) }, nil
	case c.Has("remove"):
		id, err := c.Text("remove")
		return func(ctx context.Context) error { return s.removeLane(ctx, id) }, err
	}
	id, err := c.Text("replace")
	return func(ctx context.Context) error { return s.replaceLane(ctx, id, c.Fields["with"]) }, err
}

func (s *Session) addLane(ctx context.Context, object jsontext.Value) error {
	lane, err := s.decodeLane("add", object)
	if err != nil {
		return err
	}
	lanes := s.run.Program().Scenario.Lanes
	return s.forkLanes(ctx, append(slices.Clone(lanes), lane), len(lanes), "add")
}

func (s *Session) removeLane(ctx context.Context, id string) error {
	lanes := slices.Clone(s.run.Program().Scenario.Lanes)
	i, err := s.laneIndex("remove", id)
	if err != nil {
		return err
	}
	return s.forkLanes(ctx, slices.Delete(lanes, i, i+1), -1, "remove")
}

func (s *Session) replaceLane(ctx context.Context, id string, object jsontext.Value) error {
	i, err := s.laneIndex("replace", id)
	if err != nil {
		return err
	}
	lane, err := s.decodeLane("with", object)
	if err != nil {
		return err
	}
	lanes := slices.Clone(s.run.Program().Scenario.Lanes)
	lanes[i] = lane
	return s.forkLanes(ctx, lanes, i, "with")
}

// moveLane decodes a lane command with a "move" field, and returns the function that executes it.
func (s *Session) moveLane(c *protocol.Command) (func(context.Context) error, error) {
	id, err := c.Text("move")
	if err != nil {
		return nil, err
	}
	to, err := c.Integer("to", 0, scenario.LanesMax-1)
	return func(ctx context.Context) error {
		lanes := slices.Clone(s.run.Program().Scenario.Lanes)
		i, err := s.laneIndex("move", id)
		if err != nil {
			return err
		}
		lane := lanes[i]
		lanes = slices.Delete(lanes, i, i+1)
		return s.forkLanes(ctx, slices.Insert(lanes, min(int(to), len(lanes)), lane), -1, "move")
	}, err
}

// laneIndex returns the index of the lane with the given ID. If there is none, the error mentions field, the name of
// the command's field that contains the ID.
func (s *Session) laneIndex(field, id string) (int, error) {
	lanes := s.run.Program().Scenario.Lanes
	i := slices.IndexFunc(lanes, func(l scenario.LaneSpec) bool { return l.ID == id })
	if i < 0 {
		return 0, texts.Errorf(texts.Invalid, field, "%q is not the id of a lane", texts.Clip(id))
	}
	return i, nil
}

// decodeLane decodes object, the value of the given field of a command, as a lane. An error mentions the field.
func (s *Session) decodeLane(field string, object jsontext.Value) (scenario.LaneSpec, error) {
	lane, err := s.run.Program().Scenario.DecodeLane(object)
	return lane, texts.Below(field, err)
}

// forkLanes opens a copy of the current scenario that has the given lanes. field is the name of the lane command's
// field that requires the change, such as "add". i is the index in lanes of the lane that this field contains, or -1 if
// it contains none. The path of a scenario.InputError about another lane, or about all lanes, is the path in the
// scenario, such as "lanes[1]"; any other scenario.InputError gets a path that begins with field.
func (s *Session) forkLanes(ctx context.Context, lanes []scenario.LaneSpec, i int, field string) error {
	path := fmt.Sprintf("lanes[%d]", i)
	err := s.fork(ctx, s.run.Program().Scenario.WithLanes(lanes), s.tickToKeep(), path)
	var input *scenario.InputError
	if errors.As(err, &input) && strings.HasPrefix(input.Path, "lanes") {
		return err // it concerns all lanes
	}
	return texts.Below(field, err)
}

// tickToKeep returns the tick to whose end the cursor moves when the lanes of the scenario are changed. This is the
// current tick of the cursor, or -1 if the cursor is before the first event and stays there. The position within a
// tick cannot be kept, because event numbers depend on the lanes.
func (s *Session) tickToKeep() int64 {
	if at := s.runner.Position(); at.Seq > 0 || at.Whole {
		return at.Tick
	}
	return -1
}

// load returns the function that executes the load command c. If the scenario that c selects is an edited version of
// the current one, its run reuses the current run up to the first difference.
func (s *Session) load(c *protocol.Command) func(context.Context) error {
	return func(ctx context.Context) error {
		if c.Has("scenario") || c.Has("text") {
			if err := s.sameRun(c); err != nil {
				return err
			}
		}
		return s.openForked(ctx, func(o program.Options) (p *program.Program, tick int64, err error) {
			if p, err = s.loaded(c, o); err == nil && c.Has("tick") {
				tick, err = c.Integer("tick", 0, p.Until)
				return p, tick, err
			}
			return p, -1, err
		})
	}
}

// known returns the program of the run whose digest is in the "run" field of c. The run must be in the store.
func (s *Session) known(c *protocol.Command) (*program.Program, error) {
	digest, err := c.Text("run")
	if err != nil {
		return nil, err
	}
	run, ok := s.library.Store.Lookup(strings.ToLower(digest))
	if !ok {
		return nil, texts.Errorf(texts.Invalid, "run", "%q is not a run of this server", texts.Clip(digest))
	}
	return run.Program(), nil
}

// loaded returns the program that the load command c selects by the name of a scenario, a scenario object, the text of a
// file or, without these, the digest of a run. An error in the text of a file has a line number.
func (s *Session) loaded(c *protocol.Command, o program.Options) (*program.Program, error) {
	const want = "a built-in scenario's name or a scenario object"
	v, given := c.Fields["scenario"]
	switch {
	case given && c.Has("text"):
		return nil, texts.Errorf(texts.Invalid, "text", "given beside %s; expected one of them", "scenario")
	case c.Has("run") && !given && !c.Has("text"):
		return s.known(c)
	case c.Has("text"):
		text, err := c.Text("text")
		if err != nil {
			return nil, err
		}
		return program.LoadWith([]byte(text), o)
	case !given:
		return nil, texts.Errorf(texts.Invalid, "scenario", "missing; expected %s", want)
	}
	switch v.Kind() {
	case '"':
		name, err := c.Text("scenario")
		if err != nil {
			return nil, err
		}
		return s.library.Program(name)
	case '{':
		p, err := program.LoadWith(v, o)
		return p, texts.Below("scenario", err)
	}
	return nil, texts.Errorf(texts.Invalid, "scenario", "%s is not %s", texts.Clip(string(v)), want)
}
