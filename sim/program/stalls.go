package program

import "slices"

// AfterStall returns t or, if a stall covers t, the first tick after that stall.
func (p *Program) AfterStall(t int64) int64 {
	if k, ok := p.stall(t); ok {
		return p.Stalls[k][1] + 1
	}
	return t
}

// BeforeStall returns t or, if a stall covers t, the last tick before that stall.
func (p *Program) BeforeStall(t int64) int64 {
	if k, ok := p.stall(t); ok {
		return p.Stalls[k][0] - 1
	}
	return t
}

// StallAfter finds the first stall that covers a tick after t. It returns the last tick before that stall and
// the first tick after it. ok is false if there is no such stall or if the stall does not end within the run.
func (p *Program) StallAfter(t int64) (from, end int64, ok bool) {
	k, _ := slices.BinarySearchFunc(p.Stalls, t+1, func(s [2]int64, t int64) int {
		if s[1] < t {
			return -1
		}
		return 1
	})
	if k == len(p.Stalls) || p.Stalls[k][1] >= p.Until {
		return 0, 0, false
	}
	return p.Stalls[k][0] - 1, p.Stalls[k][1] + 1, true
}

// stall returns the index in p.Stalls of the stall that covers tick t, or false if there is none.
func (p *Program) stall(t int64) (int, bool) {
	return slices.BinarySearchFunc(p.Stalls, t, func(s [2]int64, t int64) int {
		switch {
		case s[1] < t:
			return -1
		case s[0] > t:
			return 1
		}
		return 0
	})
}
