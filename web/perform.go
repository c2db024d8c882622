package web

import (
	"errors"
	"fmt"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/wheel"
)

// errViewer answers a command of a socket that only looks.
var errViewer = refuse("do", "only the one who opened this session drives it; a viewer may ask for state")

// command carries out one message. It is read here, on the reader's goroutine,
// and done on the session's.
func (k *socket) command(data []byte) {
	c, err := readCommand(data)
	if err == nil && !k.driver && c.do != "state" {
		err = errViewer
	}
	var act func() error
	if err == nil {
		act, err = k.session.action(&c, k)
	}
	answer := func(err error) { k.box.keep(k.session.ack(c.id, err, k.lang)) }
	k.session.do(func() {
		if err == nil {
			err = act()
		}
		if runner := k.session.runner; err == nil && c.do == "seek" && runner.Seeking() {
			runner.Arrived(answer) // where it goes is not computed yet
			return
		}
		answer(err)
	})
}

// refuse answers a command that came too fast, unread but for its id.
func (k *socket) refuse(data []byte) {
	const idWithin = 4 << 10 // a message larger than this is not read at all
	id := int64(0)
	if len(data) <= idWithin {
		c, _ := readCommand(data)
		id = c.id
	}
	k.session.do(func() {
		k.box.keep(k.session.ack(id, refuse("", "too many commands: at most %d a second", CommandsPerSecond), k.lang))
	})
}

// action reads a command's fields and gives what is to be done on the session's
// goroutine.
func (s *session) action(c *command, k *socket) (func() error, error) {
	switch c.do {
	case "play":
		return s.play(c)
	case "pause":
		return func() error { s.runner.Pause(); return nil }, nil
	case "speed":
		rate, err := c.number("rate")
		return func() error { return s.runner.SetRate(rate) }, err
	case "step":
		return s.step(c)
	case "seek":
		return s.seek(c)
	case "find":
		return s.find(c)
	case "op":
		return func() error { return s.operate(c.object()) }, nil
	case "load":
		return s.load(c)
	case "lane":
		return s.editLanes(c)
	}
	return func() error { s.sendState(!s.runner.Playing().On, k); return nil }, nil
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

// stepKinds are the words for what a step goes by.
var stepKinds = map[string]sim.By{"tick": sim.ByTick, "step": sim.ByStep, "event": sim.ByEvent}

func (s *session) step(c *command) (func() error, error) {
	word, err := c.text("by")
	if err != nil {
		return nil, err
	}
	by, ok := stepKinds[word]
	if !ok {
		return nil, refuse("by", "%q is not one of %s", clip(word), "tick, step, event")
	}
	n, err := c.direction()
	return func() error { return s.runner.Step(by, n > 0) }, err
}

func (s *session) seek(c *command) (func() error, error) {
	const most = int64(wheel.TickMax)
	switch {
	case c.has("tick") && c.has("seq"):
		return nil, refuse("seq", "given beside %s; expected one of them", "tick")
	case c.has("tick"):
		tick, err := c.integer("tick", 0, most)
		return func() error { return s.runner.SeekTick(tick) }, err
	case c.has("seq"):
		seq, err := c.integer("seq", 0, most)
		return func() error { return s.runner.SeekSeq(seq) }, err
	}
	return func() error { return s.runner.SeekTick(-1) }, nil
}

// operate adds an operation by hand at the cursor's tick: a fork.
func (s *session) operate(object []byte) error {
	at := s.runner.Cursor().Tick
	sc := s.run.Program().Scenario
	op, err := sc.DecodeOp(object, at)
	if err != nil {
		return err
	}
	if !op.Kind.Named() {
		return refuse("op", "%q is not one of %s", op.Kind.String(), "schedule, set, cancel, reset")
	}
	return s.fork(sc.WithOp(op), at, fmt.Sprintf("workload.ops[%d]", len(sc.Ops)))
}

// fork opens an edited scenario after everything at tick. Errors about the field
// at path are told from there. After one the session stands as it stood.
func (s *session) fork(edited *sim.Scenario, tick int64, path string) error {
	p, err := sim.Plan(edited)
	if err != nil {
		var input *sim.InputError
		if errors.As(err, &input) {
			return input.Under(path)
		}
		return err
	}
	run, err := s.books.store.Fork(s.ctx, s.run, p)
	if err != nil {
		return err
	}
	return s.open(run, min(tick, p.Until))
}
