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
