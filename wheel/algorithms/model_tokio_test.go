package algorithms

import "github.com/wheelscope/wheelscope/wheel"

// tokioPlace returns the place of a timer due at e, with the clock at c.
func (m *model) tokioPlace(e, c wheel.Tick) place {
	level := 5
	for l := range 6 {
		if e>>(6*l+6) == c>>(6*l+6) {
			level = l
			break
		}
	}
	return place{int8(level), uint32(e >> (6 * level) & 63)}
}

// tokioNext is the reference's next_expiration with the clock at c: the lowest level that has a
// timer, and its first occupied slot from the clock's own on.
func (m *model) tokioNext(c wheel.Tick) (at place, deadline wheel.Tick, ok bool) {
	for l := range 6 {
		shift := 6 * l
		for k := range wheel.Tick(64) {
			s := (c>>shift + k) & 63
			if len(m.places[place{int8(l), uint32(s)}]) == 0 {
				continue
			}
			deadline = c>>(shift+6)<<(shift+6) + s<<shift
			if deadline <= c {
				deadline += 1 << (shift + 6)
			}
			return place{int8(l), uint32(s)}, deadline, true
		}
	}
	return place{}, 0, false
}

// stepTokio is the reference's poll, from the tick before.
func (m *model) stepTokio() {
	now := m.clock
	for m.clock--; ; {
		at, deadline, ok := m.tokioNext(m.clock)
		if !ok || deadline > now {
			break
		}
		m.clock = deadline
		m.hand(at, 0)
		if m.lane.params["library"] == "tokio-util" {
			m.unstack(m.take(at), at)
			continue
		}
		for _, t := range m.take(at) {
			if t.due <= deadline {
				m.expire(t, at)
			} else {
				m.put(wheel.KindCascade, t, m.tokioPlace(t.due, deadline), wheel.NoRounds)
			}
		}
	}
	m.clock = now
}

// unstack is the DelayQueue's poll_expiration, one level at a time: each timer of the stack is
// pushed onto the next level down, where those in the slot that begins now form the next
// stack.
func (m *model) unstack(stack []*modelTimer, at place) {
	for level := at.level - 1; level >= 0; level-- {
		var next []*modelTimer
		for k := len(stack) - 1; k >= 0; k-- {
			t, shift := stack[k], 6*level
			if t.due>>shift == m.clock>>shift {
				next = append(next, t)
			} else {
				m.put(wheel.KindCascade, t, place{level, uint32(t.due >> shift & 63)}, wheel.NoRounds)
			}
		}
		stack = next
	}
	for k := len(stack) - 1; k >= 0; k-- {
		m.expire(stack[k], at)
	}
}
