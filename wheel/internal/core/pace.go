package core

import (
	"math"

	"github.com/wheelscope/wheelscope/wheel"
)

// hookStride is how many timers of a slot are counted at once in loops that take a
// few nanoseconds for each, so that counting takes a small part of that.
const hookStride = 64

// Pace calls the hook of a wheel every HookInterval units of work. The zero value has no
// hook. It is part of the arena, to which every structure of a wheel has access.
type Pace struct {
	left    int64 // units until pause is called
	hook    wheel.Hook
	Aborted bool // the hook has returned false: the structure may be inconsistent
}

// Spend counts n units of work that are about to be done, at most HookInterval, and calls
// the hook if enough units have been counted. It returns false if the work must not be
// done because the wheel has been aborted.
func (p *Pace) Spend(n int64) bool {
	p.left -= n
	return p.left > 0 || p.pause(n)
}

// SpendStride is Spend in a loop over the entries k to end of a slot: it counts the next
// hookStride of them whenever k is a multiple of hookStride.
func (p *Pace) SpendStride(k, end int) bool {
	return k%hookStride != 0 || p.stride(end-k)
}

// stride counts hookStride entries, or the rest if they are fewer. It is kept out of
// SpendStride so that the latter is inlined.
//
//go:noinline
func (p *Pace) stride(rest int) bool { return p.Spend(int64(min(hookStride, rest))) }

// charge counts n units of work that were done, without calling the hook. A later call of
// Spend makes up for it.
func (p *Pace) charge(n int64) { p.left -= n }

// pause calls the hook before n units of work.
//
//go:noinline
func (p *Pace) pause(n int64) bool {
	if p.hook == nil && !p.Aborted {
		p.left = math.MaxInt64
		return true
	}
	if p.Aborted = p.Aborted || !p.hook(); p.Aborted {
		p.left = 0 // so that every spend comes here
		return false
	}
	p.left = wheel.HookInterval - n
	return true
}

// set replaces the hook; nil means none.
func (p *Pace) set(h wheel.Hook) {
	if p.hook = h; !p.Aborted {
		p.left = wheel.HookInterval
	}
}

// SetHook sets the function that the wheel calls while it works; nil means none.
func (b *Base) SetHook(h wheel.Hook) { b.Arena.set(h) }

// Stopped reports whether the wheel can do no more work: its published rule
// failed, or its hook aborted it.
func (b *Base) Stopped() bool { return b.Halted || b.Arena.Aborted }

// Status returns the result of Advance for a wheel that has stopped.
func (b *Base) Status() wheel.Status {
	if b.Arena.Aborted {
		return wheel.Aborted
	}
	return wheel.Stuck
}
