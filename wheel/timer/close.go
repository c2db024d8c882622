package timer

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// ErrClosed is the cause of contexts of [Wheel.WithTimeout] that end because the wheel is closed.
var ErrClosed = errors.New("timer: the wheel is closed")

// Close closes the wheel: no timer fires after that, not even one that is scheduled later, and pending contexts of
// [Wheel.WithTimeout] end with the cause [ErrClosed]. Close does not wait for callbacks that are running or whose timers
// have already fired. It always returns nil, and may be called more than once.
func (w *Wheel) Close() error {
	for _, s := range w.all() {
		s.close()
	}
	return nil
}

// Shutdown is like [Wheel.Close], but then waits until the wheel's goroutines and all its callbacks
// have ended. If ctx is done first, it returns ctx.Err(). In a callback of the wheel, Shutdown would wait for
// that callback until ctx is done: a callback calls Close, or Shutdown in another goroutine.
func (w *Wheel) Shutdown(ctx context.Context) error {
	w.Close()
	for _, s := range w.all() {
		select {
		case <-s.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return until(ctx, func() bool { return w.Running() == 0 })
}

// close closes the shard: it stops the driver and discards the pending timers.
func (s *shard) close() {
	for _, c := range s.discard() {
		c.end(context.Canceled, ErrClosed)
	}
}

// discard does the part of close for which s.mu is held. It returns the pending contexts.
func (s *shard) discard() (pending []*timeout) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.endGroup(s.owner.now())
	s.closed = true
	s.wake()
	if s.record != nil { // the record is kept: a page can still read it
		for id := range s.record.known {
			s.record.cancelled(s, id)
		}
	}
	s.wheel, s.rescheduler, s.calls = stopped{s.wheel}, nil, nil
	pending = slices.Collect(maps.Keys(s.contexts))
	s.contexts = nil
	return pending
}

// Shortest and longest pause between two checks in function until.
const (
	pauseLeast = 20 * time.Microsecond
	pauseMost  = time.Millisecond
)

// until polls done at intervals of up to 1 ms, until it returns true. If ctx is done first, until returns ctx.Err().
func until(ctx context.Context, done func() bool) error {
	for pause := pauseLeast; !done(); pause = min(2*pause, pauseMost) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
	return nil
}

// stopped replaces the wheel of a shard when the shard is closed. It reports no timers; its layout and costs are
// those of the replaced wheel.
type stopped struct{ wheel.Wheel }

func (stopped) Cancel(wheel.Timer) bool { return false }
func (stopped) Armed(wheel.Timer) bool  { return false }
func (stopped) Len() int                { return 0 }
