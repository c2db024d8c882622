package program

import "slices"

// Awake returns the first tick from t on at which lanes advance: t, or the tick after a stall
// that covers t.
func (p *Program) Awake(t int64) int64 {
	if k, ok := p.stall(t); ok {
		return p.Standing[k][1] + 1
	}
	return t
}

// LastAwake returns the last tick up to t at which lanes advance.
func (p *Program) LastAwake(t int64) int64 {
	if k, ok := p.stall(t); ok {
		return p.Standing[k][0] - 1
	}
	return t
}

// StallAfter returns the ticks at which lanes advance next to the first stall that covers a
// tick after t: the last one before it and the first one after it. It returns false if there
// is none that ends within the run.
func (p *Program) StallAfter(t int64) (from, end int64, ok bool) {
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

// stall returns the index of the stall that covers tick t, if there is one.
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
