package fairqueue

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Parallel calls f with each i in [0, n) and returns when all calls have returned. It calls f on the caller's goroutine
// and, for each turn of the pool that is free while no work is waiting, on another one, up to the number of processors.
// f must call Pace with the context that it is given, which carries the turn of its goroutine. If ctx carries no turn,
// Parallel uses all processors.
func Parallel(ctx context.Context, n int, f func(ctx context.Context, i int)) {
	var next atomic.Int64
	work := func(ctx context.Context) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(ctx, i)
		}
	}
	var others sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) - 1 {
		turn, leave, ok := spare(ctx)
		if !ok {
			break
		}
		others.Go(func() {
			defer leave()
			work(turn)
		})
	}
	work(ctx)
	_ = Outside(ctx, others.Wait) // Pace returns the error
}

// spare returns a context with a further turn for the work of ctx, and a function that ends the turn. ok is false if no
// turn of the pool is free or work is waiting. The turn may exceed those of its queue; it then lasts until other work
// waits at the end of a slice, and waits itself until the queue has a turn.
func spare(ctx context.Context) (turn context.Context, leave func(), ok bool) {
	outer, ok := ctx.Value(turnKey{}).(*Turn)
	if !ok {
		return ctx, func() {}, true
	}
	q := outer.queue
	t := &Turn{queue: q, client: outer.client, ready: make(chan struct{}, 1), held: true, spare: true, began: time.Now()}
	t.quick.Store(t.began.UnixNano())
	q.pool.mu.Lock()
	defer q.pool.mu.Unlock()
	if q.pool.free < 1 || q.pool.waits() {
		return ctx, func() {}, false
	}
	t.since = t.began
	q.free--
	q.pool.free--
	q.held = append(q.held, t)
	return context.WithValue(ctx, turnKey{}, t), t.leave, true
}
