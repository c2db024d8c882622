package timer

import (
	"context"
	"sync"
	"time"
)

// WithTimeout is like context.WithTimeout, but uses a timer of w: the context is done at the first tick of the wheel at
// or after the deadline, when parent is done, or when the wheel is closed; then its cause is [ErrClosed].
func (w *Wheel) WithTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return w.WithTimeoutCause(parent, d, nil)
}

// WithDeadline is like [Wheel.WithTimeout], with the time of the deadline instead of the duration until then.
func (w *Wheel) WithDeadline(parent context.Context, at time.Time) (context.Context, context.CancelFunc) {
	w.check(true)
	return w.withDeadline(parent, at, at.Sub(w.origin.Add(w.now())), nil)
}

// WithTimeoutCause is like [Wheel.WithTimeout], but also sets the cause of the context when the timeout expires. A nil
// cause stands for context.DeadlineExceeded.
func (w *Wheel) WithTimeoutCause(parent context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	w.check(true)
	return w.withDeadline(parent, w.origin.Add(w.now()).Add(d), d, cause)
}

// withDeadline returns a context that is done at the time at, which is after the duration d.
func (w *Wheel) withDeadline(parent context.Context, at time.Time, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	if earlier, ok := parent.Deadline(); ok && earlier.Before(at) {
		at = earlier // the parent is done before the timer fires
	}
	if cause == nil {
		cause = context.DeadlineExceeded
	}
	inner, cancel := context.WithCancelCause(parent)
	c := &timeout{Context: inner, cancel: cancel, done: make(chan struct{}), deadline: at}
	c.mu.Lock() // end must not use the timer before it is started
	c.leave = context.AfterFunc(inner, func() { c.end(inner.Err(), nil) })
	ended := parent.Err()
	started := ended == nil && d > 0 && c.start(w.pick().lockOne(), d, cause)
	c.mu.Unlock()
	switch {
	case started:
	case ended != nil:
		c.end(ended, nil)
	case d <= 0:
		c.end(context.DeadlineExceeded, cause)
	default:
		c.end(context.Canceled, ErrClosed)
	}
	return c, func() { c.end(context.Canceled, nil) }
}

// contexts is the set of contexts of a shard whose timers are pending.
type contexts map[*timeout]struct{}

// timeout is a context returned by Wheel.WithTimeout. A timer of the wheel cancels it at the deadline.
type timeout struct {
	context.Context // derived from the parent; stores the cause that context.Cause returns
	cancel          context.CancelCauseFunc
	done            chan struct{}
	deadline        time.Time
	timer           Timer       // its shard is nil if the context was done before a timer was needed
	leave           func() bool // unregisters timeout.end, which is otherwise called when the parent is done

	mu    sync.Mutex
	err   error
	after map[*func()]struct{} // functions to call when the context is done; nil until the first is added
}

// start starts the timer of c in shard s, which must be locked, and unlocks s. It returns false if the wheel is closed.
func (c *timeout) start(s *shard, d time.Duration, cause error) bool {
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	c.timer.shard = s
	c.timer.t = s.scheduleIn(d, func() { c.end(context.DeadlineExceeded, cause) })
	if s.contexts == nil {
		s.contexts = contexts{}
	}
	s.contexts[c] = struct{}{}
	return true
}

// stop stops the timer of c.
func (c *timeout) stop() {
	s := c.timer.shard
	if s == nil {
		return
	}
	s.mu.Lock()
	s.cancel(c.timer.t)
	delete(s.contexts, c)
	s.mu.Unlock()
}

func (c *timeout) Deadline() (time.Time, bool) { return c.deadline, true }
func (c *timeout) Done() <-chan struct{}       { return c.done }

func (c *timeout) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// AfterFunc calls f in its own goroutine when the context is done. stop prevents the call, and reports whether it did
// so. Package context calls AfterFunc for each context derived from this one, which then needs no goroutine.
func (c *timeout) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	if c.after == nil {
		c.after = map[*func()]struct{}{}
	}
	key := &f
	c.after[key] = struct{}{}
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, was := c.after[key]
		delete(c.after, key)
		return was
	}
}

// end ends the context with error err, unless it is already done: it sets the cause, closes c.done and calls the
// functions in c.after. A nil cause is that of the parent, if the parent is done, or else err.
func (c *timeout) end(err, cause error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = err
	if cause == nil {
		cause = err
	}
	c.leave()
	c.cancel(cause) // has no effect if the parent is done
	close(c.done)
	for f := range c.after {
		go (*f)()
	}
	c.after = nil
	c.mu.Unlock()
	c.stop()
}
