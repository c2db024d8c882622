package timer

import (
	"context"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Pending tells of a timer that had not fired when it was taken out of its wheel.
type Pending struct {
	Key  any       // nil of one without a key
	Due  time.Time // when it would have fired
	Func func()    // what it would have called; nil for a channel's
}

// Shutdown stops the wheel and returns what was still pending, none of which will
// run. It waits until the callbacks that run have returned, or until ctx is done,
// whose error it then gives. From the first call on every method that arms a timer
// returns [ErrShutdown].
//
// A callback may call it: it then waits for nothing, since others may have to wait for
// this one. (What tells is the caller's stack: a callback must not wait for a
// goroutine of its own that calls Shutdown.)
func (w *Wheel) Shutdown(ctx context.Context) ([]Pending, error) {
	w.shut.Do(func() { close(w.gone) })
	var left []Pending
	for _, s := range w.shards {
		left = s.close(left)
	}
	if inCallback() {
		return left, nil
	}
	for _, s := range w.shards {
		select {
		case <-s.done:
		case <-ctx.Done():
			return left, ctx.Err()
		}
	}
	return left, w.idle(ctx)
}

// Drain takes every timer out of the wheel, as Stop would, and returns them. The wheel
// goes on: what is armed while Drain works may be among them or stay.
func (w *Wheel) Drain() []Pending {
	var left []Pending
	for _, s := range w.shards {
		s.mu.Lock()
		if !s.closed {
			left = s.drain(left)
		}
		s.mu.Unlock()
	}
	return left
}

// idleCheck is how often Shutdown looks whether callbacks still run.
const idleCheck = time.Millisecond

// idle waits until no callback runs.
func (w *Wheel) idle(ctx context.Context) error {
	for w.Running() > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(idleCheck):
		}
	}
	return nil
}

// callName is how the name begins of what every callback runs under: call or callAll.
const callName = "github.com/wheelscope/wheelscope/wheel/timer.(*shard).call"

// inCallback says whether this goroutine runs a callback of some wheel.
func inCallback() bool {
	var pcs [64]uintptr
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		frames := runtime.CallersFrames(pcs[:n])
		for more := n > 0; more; {
			var f runtime.Frame
			if f, more = frames.Next(); strings.HasPrefix(f.Function, callName) {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}

// close ends the driver and appends what was pending.
func (s *shard) close(left []Pending) []Pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return left
	}
	before := len(left)
	left = s.drain(left)
	s.closed = true
	s.nudge()
	s.stats.cancelled -= int64(len(left) - before) // neither stopped nor fired
	// record stays: who watches keeps what was recorded
	s.wheel, s.keys, s.calls = stopped{s.wheel}, nil, calls{}
	return left
}

// drain takes every timer out and appends them. The lock is held.
func (s *shard) drain(left []Pending) []Pending {
	s.settle(s.owner.now())
	var state wheel.State
	s.wheel.AppendState(&state, wheel.AllEntries)
	left = slices.Grow(left, s.wheel.Len())
	for _, p := range state.Places {
		for _, e := range p.Entries {
			if e.Marked {
				continue
			}
			f, m := s.calls.at(e.ID)
			left = append(left, s.tell(f, m, e.Due))
			s.cancel(e.Handle)
		}
	}
	clear(s.keys)
	return left
}

// tell describes a timer that is pending.
func (s *shard) tell(f func(), m *more, due wheel.Tick) Pending {
	if m != nil && m.direct {
		f = nil
	}
	return Pending{m.name(), s.owner.instant(due), f}
}

// instant is when a tick begins, or the last instant that a wheel counts to.
func (w *Wheel) instant(due wheel.Tick) time.Time {
	if due > math.MaxInt64/wheel.Tick(w.tick) {
		return w.origin.Add(math.MaxInt64)
	}
	return w.origin.Add(time.Duration(due) * w.tick)
}

// stopped is a wheel after Shutdown: it holds nothing, and what it counted stays.
type stopped struct{ wheel.Wheel }

func (stopped) Cancel(wheel.Timer) bool { return false }
func (stopped) Armed(wheel.Timer) bool  { return false }
func (stopped) Len() int                { return 0 }
