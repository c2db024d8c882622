package wheel

import (
	"errors"
	"math"
)

// Hook lets a driver interrupt a wheel's work. It may block, for example until it
// is the driver's turn to use the CPU. If it returns false the call under way is
// abandoned. It must not call the wheel.
type Hook func() bool

// HookInterval is how many units of work a wheel does at most between two calls
// of its Hook. A unit is one timer touched, compared or moved, one run that
// fires, one event that is logged, or one wheel tick with work.
const HookInterval = 1024

// hookStride is how many timers of a slot are counted at once in loops that take a
// few nanoseconds for each, so that counting takes a small part of that.
const hookStride = 64

// ErrAborted is returned by Schedule when the wheel's Hook has returned false.
var ErrAborted = errors.New("wheel: abandoned by its hook")

// pace calls the hook of a wheel every HookInterval units of work. The zero value
// has no hook. It is part of the arena, which every structure of a wheel has at
// hand.
type pace struct {
	left    int64 // units until pause is called
	hook    Hook
	aborted bool // the hook has returned false: the structure may be inconsistent
}

// spend counts n units of work that are about to be done, at most HookInterval,
// and calls the hook if it is time to. It returns false if the work must not be
// done, because the wheel was aborted now or before.
func (p *pace) spend(n int64) bool {
	p.left -= n
	return p.left > 0 || p.pause(n)
}

// spendStride is spend in a loop over the entries of a slot, from k on up to end: it
// counts the next hookStride of them whenever k is a multiple of that.
func (p *pace) spendStride(k, end int) bool {
	return k%hookStride != 0 || p.stride(end-k)
}

// stride counts hookStride entries, or the rest if they are fewer. It is kept out of
// spendStride so that the latter is inlined.
//
//go:noinline
func (p *pace) stride(rest int) bool { return p.spend(int64(min(hookStride, rest))) }

// charge counts n units of work that were done, without a call of the hook: the
// next spend makes up for it.
func (p *pace) charge(n int64) { p.left -= n }

// pause calls the hook before n units of work.
//
//go:noinline
func (p *pace) pause(n int64) bool {
	if p.hook == nil && !p.aborted {
		p.left = math.MaxInt64
		return true
	}
	if p.aborted = p.aborted || !p.hook(); p.aborted {
		p.left = 0 // so that every spend comes here
		return false
	}
	p.left = HookInterval - n
	return true
}

// set replaces the hook; nil means none.
func (p *pace) set(h Hook) {
	if p.hook = h; !p.aborted {
		p.left = HookInterval
	}
}

// SetHook sets the function that the wheel calls while it works; nil means none.
func (b *base) SetHook(h Hook) { b.arena.set(h) }

// stopped reports whether the wheel can do no more work: its published rule
// failed, or its hook aborted it.
func (b *base) stopped() bool { return b.dead || b.arena.aborted }

// status is what Advance returns for a wheel that has stopped.
func (b *base) status() Status {
	if b.arena.aborted {
		return Aborted
	}
	return Stuck
}
