package web

import (
	"context"
	"errors"
	"fmt"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/web/usererr"
	"github.com/wheelscope/wheelscope/wheel"
)

// errViewer is the error for a command from a socket that is not the driver.
var errViewer = usererr.New("do", "only the one who opened this session drives it; a viewer may ask for state")

// command handles one message. It is decoded here, on the reader's goroutine, and carried out on
// the session's.
func (k *socket) command(data []byte) {
	c, err := decodeCommand(data, k.driver)
	var q sim.Request
	if err == nil {
		q, err = k.session.request(&c, k)
	}
	if err != nil {
		q = k.refusal(c.id, err)
	}
	k.session.runner.Submit(q)
}

// refusal returns a request that answers a command with an error, after the commands before it.
func (k *socket) refusal(id int64, err error) sim.Request {
	return single{newReply(k, id), func() error { return err }}
}

// refuse answers a command over the rate limit. Only its id is read.
func (k *socket) refuse(data []byte) {
	const idWithin = 4 << 10 // a larger message is not read at all
	id := int64(0)
	if len(data) <= idWithin {
		c, _ := readCommand(data)
		id = c.id
	}
	k.session.runner.Submit(k.refusal(id, usererr.New("", "too many commands: at most %d a second", CommandsPerSecond)))
}

// request decodes a command's fields and returns the request for the session's goroutine.
func (s *session) request(c *command, k *socket) (sim.Request, error) {
	var v move
	m := &mergeable{s: s, do: c.do}
	var err error
	switch c.do {
	case "state":
		m.do, m.states, v.state = "", true, true
	case "step":
		m.step, err = s.step(c)
	case "seek":
		v.act, err = s.seek(c)
	case "find":
		v.act, err = s.find(c)
	default:
		act, err := s.action(c)
		if err != nil {
			return nil, err
		}
		return single{newReply(k, c.id), act}, nil
	}
	if err != nil {
		return nil, err
	}
	v.reply = newReply(k, c.id)
	m.commands = []move{v}
	return m, nil
}

// action decodes the fields of a command that is not merged with others.
func (s *session) action(c *command) (func() error, error) {
	switch c.do {
	case "play":
		return s.play(c)
	case "pause":
		return func() error { s.runner.Pause(); return nil }, nil
	case "speed":
		rate, err := c.number("rate")
		return func() error { return s.runner.SetRate(rate) }, err
	case "op":
		return s.inContext(func(ctx context.Context) error { return s.operate(ctx, c.object()) }), nil
	case "load":
		return s.inContext(s.load(c)), nil
	}
	act, err := s.editLanes(c)
	return s.inContext(act), err
}

// inContext returns a command that calls act with the runner's context, which ends when the command
// times out.
func (s *session) inContext(act func(context.Context) error) func() error {
	return func() error { return act(s.runner.Context()) }
}

func (s *session) play(c *command) (func() error, error) {
	if !c.has("rate") {
		return s.runner.Play, nil
	}
	rate, err := c.number("rate")
	return func() error {
		if err := s.runner.SetRate(rate); err != nil {
			return err
		}
		return s.runner.Play()
	}, err
}

// stepKinds maps the words for step sizes.
var stepKinds = map[string]sim.By{"tick": sim.ByTick, "step": sim.ByStep, "event": sim.ByEvent}

func (s *session) step(c *command) (size stepSize, err error) {
	word, err := c.text("by")
	if err != nil {
		return size, err
	}
	var ok bool
	if size.by, ok = stepKinds[word]; !ok {
		return size, usererr.New("by", "%q is not one of %s", usererr.Clip(word), "tick, step, event")
	}
	size.n, err = c.direction()
	return size, err
}

func (s *session) seek(c *command) (func() error, error) {
	const most = int64(wheel.TickMax)
	switch {
	case c.has("tick") && c.has("seq"):
		return nil, usererr.New("seq", "given beside %s; expected one of them", "tick")
	case c.has("tick"):
		tick, err := c.integer("tick", 0, most)
		return func() error { return s.runner.SeekTick(tick) }, err
	case c.has("seq"):
		seq, err := c.integer("seq", 0, most)
		return func() error { return s.runner.SeekSeq(seq) }, err
	}
	return func() error { return s.runner.SeekTick(-1) }, nil
}

// operate adds an operation at the cursor's tick and opens the edited scenario.
func (s *session) operate(ctx context.Context, object []byte) error {
	at := s.runner.Cursor().Tick
	sc := s.run.Program().Scenario
	op, err := sc.DecodeOp(object, at)
	if err != nil {
		return err
	}
	if !op.Kind.Named() {
		return usererr.New("op", "%q is not one of %s", op.Kind.String(), "schedule, set, cancel, reset")
	}
	return s.fork(ctx, sc.WithOp(op), at, fmt.Sprintf("workload.ops[%d]", len(sc.Ops)))
}

// fork opens an edited scenario at the end of a tick. Errors about the field at path get paths
// relative to it. After an error the session is unchanged.
func (s *session) fork(wait context.Context, edited *scenario.Scenario, tick int64, path string) error {
	ctx, leave, err := s.books.Store.Queue().Enter(wait)
	if err != nil {
		return err
	}
	defer leave()
	o, release := s.books.Store.Planning(ctx)
	defer release()
	p, err := program.PlanWith(edited, o)
	if err != nil {
		var input *scenario.InputError
		if errors.As(err, &input) {
			return input.Under(path)
		}
		return err
	}
	run, err := s.books.Store.Fork(ctx, s.run, p)
	if err != nil {
		return err
	}
	leave() // the session waits for the run without holding a turn
	return s.open(wait, run, min(tick, p.Until))
}
