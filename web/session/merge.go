package session

import (
	"slices"

	"github.com/wheelscope/wheelscope/sim/cursor"
)

// mergeable is a queue entry for one or more commands. Commands that wait for the session's goroutine are
// merged, so that a key that is held down does not cause a backlog. Of several seeks and finds, only the last
// one is executed. Steps of the same kind and direction are added up. One state is sent to all viewers that
// requested it. Every command is acknowledged. mergeable implements cursor.Request.
type mergeable struct {
	s        *Session
	do       string // kind of the commands that move the cursor: "seek", "find" or "step"; "" if none does
	step     stepSize
	states   bool   // whether a state is also requested
	commands []move // commands in order of arrival
}

// stepSize is the unit and the direction of a step: n is 1 for forward and -1 for backward.
type stepSize struct {
	by cursor.By
	n  int64
}

// move is one of the commands that a mergeable has merged.
type move struct {
	*reply
	state bool         // whether the command requests a state and does not move the cursor
	act   func() error // action of a seek or find
	err   error
}

// single is a command that is not merged with others. It implements cursor.Request.
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

// Merge adds next, a later command, to m and returns true if the two can be merged. It implements
// cursor.Request.
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

// doSteps moves the cursor once, by the sum of all merged steps. Its error is that of every step.
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

// doLast executes the last command that moves the cursor and returns its index. A command that fails changes
// nothing; doLast then tries the command before it. It returns -1 if all fail.
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
