package session

import (
	"slices"

	"github.com/wheelscope/wheelscope/sim/cursor"
)

// mergeable is one or more commands that are executed together. It implements cursor.Request. Commands that wait for
// the session's goroutine are merged, so that holding a key down does not cause a backlog. Of several seeks, or
// several finds, only the last one that succeeds takes effect. Steps of the same kind and direction are combined into
// one movement. One state is sent to all viewers that have requested one. Every command is acknowledged.
type mergeable struct {
	s        *Session
	do       string          // kind of the commands that move the cursor: "seek", "find" or "step"; "" if none does
	step     stepSize        // unit and direction of the steps, if do is "step"
	states   bool            // whether any of the commands requests a state
	commands []mergedCommand // the commands, in order of arrival
}

// stepSize is the unit of a step, such as a tick, and its direction: n is 1 for forward and -1 for backward.
type stepSize struct {
	by cursor.By
	n  int64
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
	case m.do != n.do || m.step != n.step:
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
		m.doSteps()
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

// doSteps moves the cursor once, by the sum of all steps. If that fails, the error is the response to every step.
func (m *mergeable) doSteps() {
	n := int64(0)
	for i := range m.commands {
		if !m.commands[i].state {
			n += m.step.n
		}
	}
	err := m.s.runner.Step(m.step.by, n)
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
