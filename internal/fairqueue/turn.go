package fairqueue

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// Turn is the right to use the processor. It belongs to one piece of work, whose goroutines may share it.
type Turn struct {
	queue  *Queue
	client *client
	ready  chan struct{} // receives when the turn is granted

	// Guarded by the pool's mutex.
	since time.Time     // time at which the turn was granted
	lent  bool          // whether another turn has been admitted in its place
	used  time.Duration // time used by this piece of work

	mu    sync.Mutex // held while the turn is given away and taken again
	began time.Time  // start of the slice
	held  bool
	left  bool
	quick atomic.Int64 // began in nanoseconds, read by Pace without holding mu
}

// suspend releases the turn for other work until resume is called.
func (t *Turn) suspend() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release()
}

// resume waits for the turn after suspend. If ctx ends first, the turn is not acquired and Pace returns
// the error.
func (t *Turn) resume(ctx context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.held && !t.left {
		_ = t.acquire(ctx)
	}
}

// Pace returns the error of ctx if the work must stop. If the slice of the turn in ctx is over and other work
// is waiting, Pace releases the turn and waits for the next slice. Without a turn it only checks ctx. It
// takes about 50 ns and may block.
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

// Writer returns a writer to w that calls Pace before each write.
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

// Outside releases the turn in ctx, calls f, and acquires the turn again. It returns the error of acquiring
// the turn. It calls f in any case.
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

// yield ends a slice and waits for the next one, which begins at once if no other work is waiting.
func (t *Turn) yield(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.held {
		return t.acquire(ctx) // an earlier acquire failed
	}
	if time.Since(t.began) < t.queue.slice { // another goroutine of this turn has renewed it
		return nil
	}
	t.held = false
	t.queue.renew(t, time.Since(t.began))
	yieldToBrowser()
	return t.await(ctx)
}

// leave ends the turn. Subsequent calls do nothing.
func (t *Turn) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left {
		return
	}
	t.left = true
	t.release()
	t.queue.forget(t.client)
}

// acquire waits until the turn is granted or ctx is done. It returns ErrBusy if too many turns are waiting.
func (t *Turn) acquire(ctx context.Context) error {
	if err := t.queue.wait(t); err != nil {
		return err
	}
	return t.await(ctx)
}

// await waits until the turn is granted or ctx is done.
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

// release frees the turn and charges the time since it began to its client.
func (t *Turn) release() {
	if !t.held {
		return
	}
	t.held = false
	t.queue.end(t, time.Since(t.began))
}
