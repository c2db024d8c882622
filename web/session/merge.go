package session

import (
	"slices"

	"github.com/wheelscope/wheelscope/sim/cursor"
)

// mergeable is a command that is queued for the session's goroutine and can be merged with later ones, so
// that holding down a key does not cause a backlog. If there are several seeks or finds, only the last one is
// executed. Steps of the same kind and direction are added up. One state is sent to all viewers that
// requested it. Each command is acknowledged. mergeable implements cursor.Request.
type mergeable struct {
	s        *Session
	do       string // command that moves the cursor: seek, find or step; "" if there is none
	step     stepSize
	states   bool   // whether a state is also requested
	commands []move // commands in order of arrival
}

// stepSize is the unit and the direction of a step: n is 1 for forward and -1 for backward.
type stepSize struct {
	by cursor.By
	n  int64
}

// move is one of the commands in a mergeable.
type move struct {
	*reply
	state bool         // whether the command requests a state and moves nothing
	act   func() error // action of a seek or find
	err   error
}

// single is a command that is never merged with others. It implements cursor.Request.
type single struct {
	*reply
	act func() error
}

func (c single) Do() {
	if c.begin() {
		c.answer(c.act())
	}
}

func (single) Merge(cursor.Request) bool { return false }

// Merge adds the later command next to m if the two can be merged; see cursor.Request.
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

// Do executes the commands that have not timed out, and acknowledges them.
func (m *mergeable) Do() {
	m.commands = slices.DeleteFunc(m.commands, func(v move) bool { return !v.begin() })
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

// doSteps executes all steps as one movement.
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

// doLast executes the last command that moves the cursor and returns its index. If the command fails, it
// has changed nothing, and doLast tries the one before it. It returns -1 if all fail.
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

// sendStates sends one state to the viewers that requested it.
func (m *mergeable) sendStates() {
	var to []*Viewer
	for i := range m.commands {
		if v := &m.commands[i]; v.state && !slices.Contains(to, v.k) {
			to = append(to, v.k)
		}
	}
	m.s.sendState(!m.s.runner.Playing().On, to...)
}
