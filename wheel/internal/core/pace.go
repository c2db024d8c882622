package core

import (
	"math"

	"github.com/wheelscope/wheelscope/wheel"
)

// hookStride is the number of loop iterations that SpendStride counts with one call to Spend. Loops
// that take only a few nanoseconds per iteration use SpendStride, because calling Spend in every
// iteration would slow them down.
const hookStride = 64

// Pace calls the hook of a wheel once per HookInterval units of work. The zero value has no hook.
// It is embedded in the arena because every part of a wheel has access to the arena.
type Pace struct {
	left    int64 // number of units of work until the next call to the hook
	hook    wheel.Hook
	Aborted bool // whether the hook has returned false; the wheel may then be in an inconsistent state
}

// Spend counts n units of work, at most HookInterval, that the caller is about to do. It calls the
// hook if a call is due. If the wheel has been aborted, Spend returns false, and the caller must
// not do the work.
func (p *Pace) Spend(n int64) bool {
	p.left -= n
	return p.left > 0 || p.pause(n)
}

// SpendStride is called in each iteration of a loop whose index k runs up to end-1. If k is a multiple
// of hookStride, SpendStride calls Spend for the next hookStride iterations, or for those that remain
// if there are fewer, and returns its result. Otherwise it returns true.
func (p *Pace) SpendStride(k, end int) bool {
	return k%hookStride != 0 || p.stride(end-k)
}

// stride calls Spend for the next min(hookStride, rest) loop iterations and returns its result. It is
// separate from SpendStride so that SpendStride can be inlined.
//
//go:noinline
func (p *Pace) stride(rest int) bool { return p.Spend(int64(min(hookStride, rest))) }

// charge counts n units of work that have already been done. It does not call the hook; if a call is
// due, the next call to Spend makes it.
func (p *Pace) charge(n int64) { p.left -= n }

// pause is the part of Spend that runs when a call of the hook is due. It calls the hook, if there is
// one, before the next n units of work. Like Spend, it returns false if the wheel has been aborted.
//
//go:noinline
func (p *Pace) pause(n int64) bool {
	if p.hook == nil && !p.Aborted {
		p.left = math.MaxInt64
		return true
	}
	if p.Aborted = p.Aborted || !p.hook(); p.Aborted {
		p.left = 0 // so that every Spend calls pause
		return false
	}
	p.left = wheel.HookInterval - n
	return true
}

// set replaces the hook. If h is nil, no hook is called.
func (p *Pace) set(h wheel.Hook) {
	if p.hook = h; !p.Aborted {
		p.left = wheel.HookInterval
	}
}

// SetHook sets the function that the wheel calls while it works; see [wheel.Wheel]. If h is nil, the
// wheel has no hook.
func (b *Base) SetHook(h wheel.Hook) { b.Arena.set(h) }

// Stopped reports whether the wheel can do no more work because its published rule has failed or
// its hook has aborted it.
func (b *Base) Stopped() bool { return b.Halted || b.Arena.Aborted }

// Status returns the result of Advance for a stopped wheel: Aborted if its hook has aborted it, and
// Stuck otherwise.
func (b *Base) Status() wheel.Status {
	if b.Arena.Aborted {
		return wheel.Aborted
	}
	return wheel.Stuck
}
