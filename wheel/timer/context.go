package timer

import (
	"context"
	"sync"
	"time"
)

// WithTimeout is like context.WithTimeout, but uses a timer of w: Done is closed at the first tick
// of the wheel at or after the deadline, or when parent is done. The caller must call the
// CancelFunc when the work is done. If parent is already done, WithTimeout returns its error; other
// errors are those of [Wheel.AfterFunc]. After an error the context and the CancelFunc are nil.
func (w *Wheel) WithTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc, error) {
	if err := parent.Err(); err != nil {
		return nil, nil, err
	}
	if !w.made() {
		return nil, nil, ErrZero
	}
	inner, cancel := context.WithCancelCause(parent) // for context.Cause
	c := &timeout{Context: inner, cancel: cancel, done: make(chan struct{}), deadline: w.origin.Add(w.now()).Add(d)}
	if at, ok := parent.Deadline(); ok && at.Before(c.deadline) {
		c.deadline = at
	}
	c.mu.Lock() // the timer may fire before c has its stop function
	defer c.mu.Unlock()
	t, err := w.AfterFunc(d, func() { c.end(context.DeadlineExceeded) })
	if err != nil {
		cancel(nil)
		return nil, nil, err
	}
	c.stop = t.Stop
	c.leave = context.AfterFunc(inner, func() { c.end(inner.Err()) })
	return c, func() { c.end(context.Canceled) }, nil
}

// timeout is a context returned by Wheel.WithTimeout. A timer of the wheel cancels it at the deadline.
type timeout struct {
	context.Context // derived from the parent; stores the cause that context.Cause returns
	cancel          context.CancelCauseFunc
	done            chan struct{}
	deadline        time.Time
	stop, leave     func() bool // stop stops the timer; leave unregisters timeout.end, which is otherwise called when the parent is done

	mu    sync.Mutex
	err   error
	after map[*func()]struct{} // functions to call when the context is done; nil until the first is added
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

// end ends the context with error err, unless it is already done: it closes c.done and calls the functions in c.after.
func (c *timeout) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err
	close(c.done)
	for f := range c.after {
		go (*f)()
	}
	c.after = nil
	c.stop()
	c.leave()
	c.cancel(err)
}
