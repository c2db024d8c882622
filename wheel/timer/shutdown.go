package timer

import (
	"context"
	"math"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Close closes the wheel: no timer fires after that, and methods that schedule timers return
// [ErrClosed]. It does not wait for callbacks that are running or whose timers have already fired.
// It always returns nil, and may be called more than once.
func (w *Wheel) Close() error {
	for _, s := range w.all() {
		s.close()
	}
	return nil
}

// Shutdown is like [Wheel.Close], but then waits until the wheel's goroutines and all its callbacks
// have ended. If ctx is done first, it returns ctx.Err(). A callback of this wheel cannot wait for
// itself: if it calls Shutdown, the wheel is closed and Shutdown returns [ErrInCallback].
func (w *Wheel) Shutdown(ctx context.Context) error {
	w.Close()
	if !w.made() {
		return nil
	}
	if w.inCallback() {
		return ErrInCallback
	}
	for _, s := range w.shards {
		select {
		case <-s.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return until(ctx, func() bool { return w.Running() == 0 })
}

// all returns the shards, or none if w was not created by New.
func (w *Wheel) all() []*shard {
	if w == nil {
		return nil
	}
	return w.shards
}

// close closes the shard: it stops the driver and discards the pending timers.
func (s *shard) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.endGroup(s.owner.now())
	if s.owner.limit != 0 {
		s.owner.pending.Add(-int64(s.wheel.Len()))
	}
	s.closed = true
	s.wake()
	if s.record != nil { // the record is kept: a page can still read it
		for id := range s.record.known {
			s.record.cancelled(s, id)
		}
	}
	s.wheel, s.calls = stopped{s.wheel}, calls{}
}

// instant returns the time at which tick due begins, or the latest time that the wheel can represent if that is earlier.
func (w *Wheel) instant(due wheel.Tick) time.Time {
	if due > math.MaxInt64/wheel.Tick(w.tick) {
		return w.origin.Add(math.MaxInt64)
	}
	return w.origin.Add(time.Duration(due) * w.tick)
}

// stopped replaces the wheel of a shard when the shard is closed. It reports no timers; its layout and costs are
// those of the replaced wheel.
type stopped struct{ wheel.Wheel }

func (stopped) Cancel(wheel.Timer) bool { return false }
func (stopped) Armed(wheel.Timer) bool  { return false }
func (stopped) Len() int                { return 0 }
