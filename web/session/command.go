package session

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// A command goes one way: Command decodes it, the runner queues it, Merge joins it with the commands that wait behind it,
// Do executes them on the cursor, and a reply acknowledges each. What the cursor passes is sent by show.go.

// Command handles a message from the client. It decodes the message on the calling goroutine; the command is
// executed on the goroutine of the session.
func (v *Viewer) Command(data []byte) {
	c, err := protocol.DecodeCommand(data, v.driver)
	var q cursor.Request
	if err == nil {
		q, err = v.session.request(&c, v)
	}
	if err != nil {
		q = v.refusal(c.ID, err)
	}
	v.session.runner.Submit(q)
}

// refusal returns a request that replies with err to the command with the given ID, after the replies to all
// earlier commands.
func (v *Viewer) refusal(id int64, err error) cursor.Request {
	return single{newReply(v, id), func() error { return err }}
}

// Refuse replies with an error to a command that exceeds the rate limit. data is the message with the command, of which
// only the ID is used. If the message has more than 4 KiB, it is not decoded, and the reply has the ID 0.
func (v *Viewer) Refuse(data []byte) {
	const idWithin = 4 << 10 // a larger message is not read at all
	id := int64(0)
	if len(data) <= idWithin {
		c, _ := protocol.ReadCommand(data)
		id = c.ID
	}
	v.session.runner.Submit(v.refusal(id, texts.Errorf(texts.Invalid, "", "too many commands: at most %d a second", protocol.CommandsPerSecond)))
}

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
		m.by, err = decodeMovement(c)
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

// units maps the values of the "by" field of a step command to the units of package cursor.
var units = map[string]cursor.Unit{"tick": cursor.UnitTick, "step": cursor.UnitStep, "event": cursor.UnitEvent}

// decodeMovement decodes the unit and the direction of a step command.
func decodeMovement(c *protocol.Command) (by movement, err error) {
	word, err := c.Text("by")
	if err != nil {
		return by, err
	}
	var ok bool
	if by.unit, ok = units[word]; !ok {
		return by, texts.Errorf(texts.Invalid, "by", "%q is not one of %s", texts.Clip(word), "tick, step, event")
	}
	by.n, err = direction(c)
	return by, err
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

// direction decodes the "n" field of a step or find command: 1 means forward, -1 backward.
func direction(c *protocol.Command) (int64, error) {
	n, err := c.Integer("n", -1, 1)
	if err == nil && n == 0 {
		err = texts.Errorf(texts.Invalid, "n", "0 is not 1 or -1")
	}
	return n, err
}

// sameRun returns an error if the field "run" of c names another run than the current one. Without the field, it
// returns nil.
func (s *Session) sameRun(c *protocol.Command) error {
	if !c.Has("run") {
		return nil
	}
	digest, err := c.Text("run")
	if err != nil {
		return err
	}
	if len(digest) < sim.DigestShort || !strings.HasPrefix(s.run.Digest(), strings.ToLower(digest)) {
		return texts.Errorf(texts.Invalid, "run", "%q is not the run that this session shows, which is %s", texts.Clip(digest), s.short)
	}
	return nil
}

// mergeable is one or more commands that are executed together. It implements cursor.Request. Commands that wait for
// the session's goroutine are merged, so that holding a key down does not cause a backlog. Of several seeks, or
// several finds, only the last one that succeeds takes effect. Steps of the same kind and direction are combined into
// one movement. One state is sent to all viewers that have requested one. Every command is acknowledged.
type mergeable struct {
	s        *Session
	do       string          // kind of the commands that move the cursor: "seek", "find" or "step"; "" if none does
	by       movement        // unit and direction of the steps, if do is "step"
	states   bool            // whether any of the commands requests a state
	commands []mergedCommand // the commands, in order of arrival
}

// movement is the unit of a step command, such as a tick, and its direction: n is 1 for forward and -1 for backward.
type movement struct {
	unit cursor.Unit
	n    int64
}

// mergedCommand is one of the commands of a mergeable.
type mergedCommand struct {
	*reply
	state bool         // whether the command requests a state instead of moving the cursor
	act   func() error // executes the command; set only for a seek or find
	err   error
}

// single is a command that is not merged with others. It implements cursor.Request.
type single struct {
	*reply
	act func() error
}

// Do executes the command, unless it has timed out, and sends the response. It implements cursor.Request.
func (c single) Do() {
	if c.begin() {
		s := c.k.session
		s.doing = c.reply
		c.answer(c.act())
		s.doing = nil
	}
}

// Merge returns false because a single is not merged with others. It implements cursor.Request.
func (single) Merge(cursor.Request) bool { return false }

// Merge merges next, the request that follows m in the runner's queue, into m if possible: it adds the commands of next
// to m and returns true. Otherwise it returns false. Merge implements cursor.Request.
func (m *mergeable) Merge(next cursor.Request) bool {
	n, ok := next.(*mergeable)
	switch {
	case !ok:
		return false
	case n.do == "": // the state sent at the end answers it
	case m.do == "" && n.do == "seek": // a seek sends a state to all viewers
		m.do = n.do
	case m.do != n.do || m.by != n.by:
		return false
	case m.states && n.do != "seek": // the state must show the cursor before the later command
		return false
	}
	m.states = m.states || n.states
	m.commands = append(m.commands, n.commands...)
	return true
}

// Do executes and acknowledges the commands that have not timed out. It implements cursor.Request.
func (m *mergeable) Do() {
	m.commands = slices.DeleteFunc(m.commands, func(v mergedCommand) bool { return !v.begin() })
	if len(m.commands) == 0 {
		return
	}
	sent, last := m.s.statesSent, -1
	if m.do == "step" {
		m.doMoves()
	} else {
		last = m.doLast()
	}
	if m.states && m.s.statesSent == sent { // otherwise every viewer has just got one
		m.sendStates()
	}
	for i := range m.commands {
		v := &m.commands[i]
		if i == last && m.do == "seek" && m.s.runner.Seeking() {
			v.acknowledgeLater() // its target is not computed yet
			m.s.runner.Arrived(v.answer)
			continue
		}
		v.answer(v.err)
	}
}

// doMoves moves the cursor once, by the sum of all steps. If that fails, the error is the response to every step.
func (m *mergeable) doMoves() {
	n := int64(0)
	for i := range m.commands {
		if !m.commands[i].state {
			n += m.by.n
		}
	}
	err := m.s.runner.MoveBy(m.by.unit, n)
	for i := range m.commands {
		if v := &m.commands[i]; !v.state {
			v.err = err
		}
	}
}

// doLast executes the last seek or find and returns its index in m.commands. A command that fails changes nothing, so
// doLast then tries the one before it, and so on. It returns -1 if all of them fail, or if m has no seek or find.
func (m *mergeable) doLast() int {
	for i := range slices.Backward(m.commands) {
		v := &m.commands[i]
		if v.state {
			continue
		}
		if v.err = v.act(); v.err == nil {
			return i
		}
	}
	return -1
}

// sendStates sends the same state to all viewers that requested one.
func (m *mergeable) sendStates() {
	var to []*Viewer
	for i := range m.commands {
		if v := &m.commands[i]; v.state && !slices.Contains(to, v.k) {
			to = append(to, v.k)
		}
	}
	m.s.sendState(!m.s.runner.Playing().On, to...)
}

// reply is the response to one command. It is sent exactly once, normally when the command has been executed. If the
// session is so busy that the execution has not begun within BeginWait of the command's arrival, the reply is an
// error, and the command is not executed.
type reply struct {
	k       *Viewer // viewer that sent the command
	id      int64   // ID of the command
	arrived time.Time
	state   atomic.Int32 // state of the reply, a replyState
	late    *time.Timer  // timer that calls expire
}

// replyState is the state of a reply.
type replyState = int32

const (
	replyWaiting  replyState = iota // the command has not begun
	replyBegun                      // the command is being executed
	replyGoesOn                     // the command is a seek whose target is being computed
	replyAnswered                   // the response was sent
)

func newReply(k *Viewer, id int64) *reply {
	r := &reply{k: k, id: id, arrived: time.Now()}
	r.late = time.AfterFunc(BeginWait, r.expire)
	return r
}

// begin marks the command as begun. It returns false if the command has timed out and must not be executed. It is
// called on the runner's goroutine, as are answer and acknowledgeLater.
func (r *reply) begin() bool { return r.state.CompareAndSwap(replyWaiting, replyBegun) }

// acknowledgeLater postpones the reply to a seek whose target has not been computed yet. Unless answer is called first,
// the timer r.late acknowledges the seek when protocol.AnswerWait has passed since the seek arrived.
func (r *reply) acknowledgeLater() {
	r.state.Store(replyGoesOn)
	r.late.Reset(time.Until(r.arrived.Add(protocol.AnswerWait)))
}

// answer sends the response unless one has been sent. The response reports err or, if err is nil, success.
func (r *reply) answer(err error) {
	r.late.Stop()
	if r.state.Swap(replyAnswered) != replyAnswered {
		s := r.k.session
		r.k.keep(s.ack(r.id, err, r.k.lang))
	}
}

// expire is called by the timer r.late, on a goroutine of its own, when the reply is overdue. If the command has not
// begun, expire sends an error. If the command is a seek whose target is still being computed, expire acknowledges it.
func (r *reply) expire() {
	s := r.k.session
	switch {
	case r.state.CompareAndSwap(replyWaiting, replyAnswered):
		r.k.keep(s.lateAck(r.id, context.DeadlineExceeded, r.k.lang))
	case r.state.CompareAndSwap(replyGoesOn, replyAnswered):
		r.k.keep(s.lateAck(r.id, nil, r.k.lang))
	}
}
