package fairqueue

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// Turn is permission to use a processor. It belongs to one job, whose goroutines may share it.
type Turn struct {
	queue  *Queue
	client *client
	ready  chan struct{} // receives a value when the turn is granted

	// The fields since, lent and used are guarded by the pool's mutex.

	since time.Time     // time at which the turn was granted
	lent  bool          // whether the turn is overdue and an additional turn has been made available in its place
	used  time.Duration // how long the turn has been held, excluding the current time slice

	mu    sync.Mutex   // guards began, held and left; Pace and Outside keep it locked until they have the turn again
	began time.Time    // start of the current time slice
	held  bool         // whether the turn is currently granted
	left  bool         // whether leave has been called
	spare bool         // whether the turn may exceed those of its queue; see spare
	quick atomic.Int64 // copy of the field began, as Unix time in nanoseconds, which Pace reads without locking mu
}

// suspend releases the turn for other work until resume is called.
func (t *Turn) suspend() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release()
}

// resume acquires the turn again after suspend. If that fails, resume returns without the turn and does not
// report the error. A later call to Pace then either returns the error of ctx or tries again to acquire the
// turn.
func (t *Turn) resume(ctx context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.held && !t.left {
		_ = t.acquire(ctx)
	}
}

// Pace gives other work a chance to run. Code that holds a turn must call Pace often. If the time slice of the
// turn in ctx is over, Pace releases the turn and waits until the turn is granted again. It returns an error
// if ctx is done or the turn cannot be acquired again; the caller must then stop its work. If ctx carries no
// turn, Pace only checks whether ctx is done. A call takes about 50 ns unless it waits.
func Pace(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t, ok := ctx.Value(turnKey{}).(*Turn)
	if !ok || time.Now().UnixNano()-t.quick.Load() < int64(t.queue.slice) {
		return nil
	}
	return t.yield(ctx)
}

// Writer returns a writer that calls Pace before each write to w and fails if Pace fails.
func Writer(ctx context.Context, w io.Writer) io.Writer { return pacedWriter{ctx, w} }

type pacedWriter struct {
	ctx context.Context
	to  io.Writer
}

func (w pacedWriter) Write(p []byte) (int, error) {
	if err := Pace(w.ctx); err != nil {
		return 0, err
	}
	return w.to.Write(p)
}

// Outside releases the turn in ctx, calls f, and acquires the turn again. It returns an error if it cannot
// acquire the turn; f is called in any case. If ctx carries no turn, Outside only calls f.
func Outside(ctx context.Context, f func()) error {
	t, ok := ctx.Value(turnKey{}).(*Turn)
	if !ok {
		f()
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release()
	f()
	return t.acquire(ctx)
}

// yield ends the time slice of the turn and waits for the next one. If no other work is waiting, the next one
// begins immediately. If another goroutine of the same job has begun a new time slice in the meantime, yield
// does nothing. If an earlier attempt to acquire the turn failed, yield acquires it.
func (t *Turn) yield(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.held {
		return t.acquire(ctx) // an earlier acquire failed
	}
	if time.Since(t.began) < t.queue.slice { // another goroutine of this turn has renewed it
		return nil
	}
	if t.spare && !t.queue.pool.busy() {
		t.quick.Store(time.Now().UnixNano())
		return nil
	}
	t.held = false
	t.queue.renew(t, time.Since(t.began))
	yieldToBrowser()
	return t.await(ctx)
}

// leave ends the turn. Further calls have no effect.
func (t *Turn) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left {
		return
	}
	t.left = true
	t.release()
}

// acquire waits until the turn is granted or ctx is done. It returns ErrBusy if too many turns are waiting.
func (t *Turn) acquire(ctx context.Context) error {
	if err := t.queue.wait(t); err != nil {
		return err
	}
	return t.await(ctx)
}

// await waits until the turn is granted. If ctx is done first, await removes the turn from the queue and
// returns the error of ctx.
func (t *Turn) await(ctx context.Context) error {
	select {
	case <-t.ready:
	case <-ctx.Done():
		if !t.queue.cancel(t) {
			<-t.ready // it has just been granted
			t.held, t.began = true, time.Now()
			t.release()
		}
		return ctx.Err()
	}
	t.held, t.began = true, time.Now()
	t.quick.Store(t.began.UnixNano())
	return nil
}

// release frees the turn and charges the time of the current slice to its client. It has no effect if the
// turn is not held.
func (t *Turn) release() {
	if !t.held {
		return
	}
	t.held = false
	t.queue.end(t, time.Since(t.began))
}
