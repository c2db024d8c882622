package sim

import "slices"

// awake is the first tick from t on at which lanes advance: t itself, unless a
// stall stands over it.
func (p *Program) awake(t int64) int64 {
	if k, ok := p.stall(t); ok {
		return p.Standing[k][1] + 1
	}
	return t
}

// lastAwake is the last tick up to t at which lanes advance.
func (p *Program) lastAwake(t int64) int64 {
	if k, ok := p.stall(t); ok {
		return p.Standing[k][0] - 1
	}
	return t
}

// stallAfter is the first stall that stands over a tick after t: the last tick
// before it and the first after it, at which lanes advance. A stall that has no
// end within the run is none.
func (p *Program) stallAfter(t int64) (from, end int64, ok bool) {
	k, _ := slices.BinarySearchFunc(p.Standing, t+1, func(s [2]int64, t int64) int {
		if s[1] < t {
			return -1
		}
		return 1
	})
	if k == len(p.Standing) || p.Standing[k][1] >= p.Until {
		return 0, 0, false
	}
	return p.Standing[k][0] - 1, p.Standing[k][1] + 1, true
}

// stall finds the stall that stands over tick t.
func (p *Program) stall(t int64) (int, bool) {
	return slices.BinarySearchFunc(p.Standing, t, func(s [2]int64, t int64) int {
		switch {
		case s[1] < t:
			return -1
		case s[0] > t:
			return 1
		}
		return 0
	})
}
