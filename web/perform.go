package web

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/sim"
)

// errViewer answers a command of a socket that only looks.
var errViewer = &ackError{"do", "only the one who opened this session drives it; a viewer may ask for state"}

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
	k.session.do(func() {
		if err == nil {
			err = act()
		}
		k.box.keep(k.session.ack(c.id, err))
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
		k.box.keep(k.session.ack(id, &ackError{"", fmt.Sprintf("too many commands: at most %d a second", CommandsPerSecond)}))
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
		return nil, &ackError{"by", fmt.Sprintf("%q is not one of tick, step, event", clip(word))}
	}
	n, err := c.integer("n", -1, 1)
	if err == nil && n == 0 {
		err = &ackError{"n", "0 is not 1 or -1"}
	}
	return func() error { return s.runner.Step(by, n > 0) }, err
}

func (s *session) seek(c *command) (func() error, error) {
	const most = 1<<62 - 1
	switch {
	case c.has("tick") && c.has("seq"):
		return nil, &ackError{"seq", "given beside tick; expected one of them"}
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
		return &ackError{"op", fmt.Sprintf("%q is not one of schedule, set, cancel, reset", op.Kind.String())}
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
	run, err := s.books.store.Fork(s.run, p)
	if err != nil {
		return err
	}
	return s.runner.Open(run, min(tick, p.Until))
}

// load reads another scenario: here, so that a large one does not hold up the
// session.
func (s *session) load(c *command) (func() error, error) {
	p, err := s.loaded(c.fields["scenario"])
	if err != nil {
		return nil, err
	}
	tick := int64(-1)
	if c.has("tick") {
		if tick, err = c.integer("tick", 0, p.Until); err != nil {
			return nil, err
		}
	}
	return func() error {
		run, err := s.books.store.Open(p)
		if err != nil {
			return err
		}
		return s.runner.Open(run, tick)
	}, nil
}

// loaded gives the scenario of a load: a name or an object.
func (s *session) loaded(v jsontext.Value) (*sim.Program, error) {
	switch v.Kind() {
	case '"':
		c := command{fields: map[string]jsontext.Value{"scenario": v}}
		name, err := c.text("scenario")
		if err != nil {
			return nil, err
		}
		p, err := s.books.program(name)
		var missing notFoundError
		if errors.As(err, &missing) {
			return nil, &ackError{"scenario", strings.TrimPrefix(missing.Error(), "scenario: ")}
		}
		return p, err
	case '{':
		p, err := sim.Load(v)
		var input *sim.InputError
		if errors.As(err, &input) && input.Path != "" {
			return nil, &ackError{"scenario." + input.Path, input.Message}
		}
		return p, err
	}
	const want = "a built-in scenario's name or a scenario object"
	if len(v) == 0 {
		return nil, &ackError{"scenario", "missing; expected " + want}
	}
	return nil, &ackError{"scenario", clip(string(v)) + " is not " + want}
}
